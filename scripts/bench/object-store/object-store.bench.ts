import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPutSigner } from '#common/platform/s3/presign.ts';
import { type Keeper, startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { startObjectStore } from '#scripts/local-servers/start-object-store.ts';
import { startProgram } from '../bench-service.ts';
import { print, printRow, readMemoryMb, timeMs } from '../measure.ts';

const uploads = 25;
/** Memory growth counts after this many uploads. By then the runtime has allocated the buffers it keeps. */
const settledAfter = 5;
const uploadBytes = 20 * 1024 * 1024;

type Subject = {
  name: string;
  pid: number;
  idleMb: number;
  /** Resident memory after each upload. */
  rssMb: number[];
  uploadMs: number[];
  put(name: string, file: Buffer): Promise<void>;
};

/**
 * Uploads 25 files of 20 MB, alternately to the embedded object store and to a bare server, and prints their memory.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const temporary = held.use(await mkdtempDisposable(join(tmpdir(), 'bench-object-store-')));
  const keeper = await startKeeper();
  held.defer(keeper.close);
  const folder = temporary.path;
  const subjects = [await startStore(keeper, folder), await startFloor(keeper, folder)];
  const file = randomBytes(uploadBytes);
  printRow('upload', ...subjects.flatMap(({ name }) => [`${name}, RSS MB`, 'ms']));
  printRow('idle', ...subjects.flatMap(({ idleMb }) => [idleMb, '']));
  for (let n = 1; n <= uploads; n++) {
    for (const { pid, put, rssMb, uploadMs } of subjects) {
      uploadMs.push(Math.round(await timeMs(() => put(`file-${n}`, file))));
      rssMb.push(readMemoryMb(pid));
    }
    printRow(n, ...subjects.flatMap(({ rssMb, uploadMs }) => [rssMb.at(-1) ?? 0, uploadMs.at(-1) ?? 0]));
  }
  for (const { name, rssMb } of subjects) {
    print(`${name}: growth after upload ${settledAfter}: ${growthMb(rssMb)} MB, most ${Math.max(...rssMb)} MB`);
  }
}

async function startStore(keeper: Keeper, dataDir: string): Promise<Subject> {
  const { process, environment } = await startObjectStore({ keeper, dataDir });
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = environment;
  const sign = createPutSigner({
    endpoint: S3_ENDPOINT ?? '',
    bucket: S3_BUCKET ?? '',
    region: S3_REGION ?? '',
    accessKeyId: S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: S3_SECRET_ACCESS_KEY ?? '',
  });
  return describeSubject('embedded store', process, async (key, file) => {
    const what = { key, contentType: 'application/pdf', sizeBytes: file.length, expiresInS: 600, at: new Date() };
    const { url, headers } = await sign(what);
    await send(url, headers, file);
  });
}

async function startFloor(keeper: Keeper, dataDir: string): Promise<Subject> {
  const folder = join(dataDir, 'floor');
  await mkdir(folder);
  const program = 'scripts/bench/object-store/bare-upload-server.ts';
  const port = await findFreePort();
  const server = await startProgram(keeper, dataDir, { program, port, args: [String(port), folder] });
  return describeSubject('bare server', server, (_, file) => send(server.origin, {}, file));
}

function describeSubject(name: string, { pid }: { pid: number }, put: Subject['put']): Subject {
  return { name, pid, put, idleMb: readMemoryMb(pid), rssMb: [], uploadMs: [] };
}

async function send(url: string, headers: Record<string, string>, file: Buffer): Promise<void> {
  const sent = request(url, { method: 'PUT', headers: { ...headers, 'content-length': file.length }, agent: false });
  sent.end(file);
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`An upload was answered with ${response.statusCode}.`);
}

/** Returns the largest growth of memory above its settled size, in MB. */
function growthMb(rssMb: number[]): string {
  const settledMb = rssMb[settledAfter - 1] ?? 0;
  return Math.max(0, ...rssMb.slice(settledAfter).map((mb) => mb - settledMb)).toFixed(1);
}
