import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createPutSigner } from '#common/platform/s3/presign-put.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';

const uploads = 25;
/** Memory growth counts after this many uploads. By then the runtime has allocated the buffers it keeps. */
const settledAfter = 5;
const uploadBytes = 20 * 1024 * 1024;
const access = { bucket: 'bench', region: 'us-east-1', accessKeyId: 'bench', secretAccessKey: 'bench-secret' };

type Subject = {
  name: string;
  child: ChildProcess;
  idleMb: number;
  /** Resident memory after each upload. */
  rssMb: number[];
  uploadMs: number[];
  put(name: string, file: Buffer): Promise<void>;
};

/**
 * Uploads 25 files of 20 MB, alternately to the embedded object store and to a bare server, and prints their memory.
 */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-object-store-'));
  const subjects: Subject[] = [];
  try {
    subjects.push(await startStore(folder), await startFloor(folder));
    const file = randomBytes(uploadBytes);
    print('upload', ...subjects.flatMap(({ name }) => [`${name}, RSS MB`, 'ms']));
    print('idle', ...subjects.flatMap(({ idleMb }) => [idleMb, '']));
    for (let n = 1; n <= uploads; n++) {
      for (const subject of subjects) await measure(subject, `file-${n}`, file);
      print(n, ...subjects.flatMap(({ rssMb, uploadMs }) => [rssMb.at(-1) ?? 0, uploadMs.at(-1) ?? 0]));
    }
    for (const { name, rssMb } of subjects) {
      process.stdout.write(
        `${name}: growth after upload ${settledAfter}: ${growthMb(rssMb)} MB, most ${Math.max(...rssMb)} MB\n`,
      );
    }
  } finally {
    for (const { child } of subjects) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true });
  }
}

async function startStore(folder: string): Promise<Subject> {
  const port = await findFreePort();
  const program = join(import.meta.dirname, '../../local-servers/object-store/main.ts');
  const flags = { port, dir: join(folder, 'store'), bucket: access.bucket, 'access-key': access.accessKeyId };
  const args = Object.entries({ ...flags, parent: process.pid }).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, OBJECT_STORE_SECRET_KEY: access.secretAccessKey },
  });
  const sign = createPutSigner({ ...access, endpoint: `http://127.0.0.1:${port}` });

  return readySubject('embedded store', child, async (key, file) => {
    const what = { key, contentType: 'application/pdf', sizeBytes: file.length, expiresInS: 600, at: new Date() };
    const { url, headers } = await sign(what);
    await send(url, headers, file);
  });
}

async function startFloor(folder: string): Promise<Subject> {
  const port = await findFreePort();
  await mkdir(join(folder, 'floor'));
  const program = join(import.meta.dirname, 'bare-upload-server.ts');
  const args = [program, String(port), join(folder, 'floor')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });

  return readySubject('bare server', child, (_, file) => send(`http://127.0.0.1:${port}/`, {}, file));
}

async function readySubject(name: string, child: ChildProcess, put: Subject['put']): Promise<Subject> {
  const isReady = child.stdout && once(child.stdout, 'data').then(() => true);
  if (!(await Promise.race([isReady, once(child, 'exit').then(() => false)])))
    throw new Error(`${name} did not start.`);
  return { name, child, put, idleMb: await readRssMb(child), rssMb: [], uploadMs: [] };
}

async function measure({ child, rssMb, uploadMs, put }: Subject, name: string, file: Buffer): Promise<void> {
  const startedMs = performance.now();
  await put(name, file);
  uploadMs.push(Math.round(performance.now() - startedMs));
  rssMb.push(await readRssMb(child));
}

async function send(url: string, headers: Record<string, string>, file: Buffer): Promise<void> {
  const sent = request(url, { method: 'PUT', headers: { ...headers, 'content-length': file.length }, agent: false });
  sent.end(file);
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`An upload was answered with ${response.statusCode}.`);
}

async function readRssMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  const kb =
    status === null
      ? (await promisify(execFile)('ps', ['-o', 'rss=', '-p', `${pid}`])).stdout
      : status.match(/VmRSS:\s+(\d+)/)?.[1];
  return Math.round(Number(kb) / 102.4) / 10;
}

/** Returns the largest growth of memory above its settled size, in MB. */
function growthMb(rssMb: number[]): string {
  const settledMb = rssMb[settledAfter - 1] ?? 0;
  return Math.max(0, ...rssMb.slice(settledAfter).map((mb) => mb - settledMb)).toFixed(1);
}

function print(...cells: (string | number)[]): void {
  process.stdout.write(`${cells.map((cell, n) => String(cell).padStart(n === 0 ? 8 : 24)).join('')}\n`);
}
