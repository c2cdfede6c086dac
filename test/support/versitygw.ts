import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../scripts/local-servers/ports.ts';
import { eventually } from './eventually.ts';
import type { StartedStore } from './object-store-world.ts';

/** A real S3 server, built from source once and then kept in the user's cache folder. */
export type Versitygw = { binary: string } | { missingBecause: string };

const version = 'v1.7.0';
/** 72 s on two idle cores; a machine without a route must not hold a test run up for long. */
const buildTimeoutMs = 240_000;

/**
 * Finds the server, or builds it when Go is there. Where neither works it says why, so that a skipped suite can name it;
 * in CI that is an error, since a suite that silently never runs protects nobody.
 */
export async function bringVersitygw(env: NodeJS.ProcessEnv): Promise<Versitygw> {
  try {
    return { binary: await findOrBuild(env) };
  } catch (error) {
    const { code, message, killed } = error as { code?: string; message: string; killed?: boolean };
    const reason = code === 'ENOENT' ? 'Go is not on the PATH' : killed ? 'the build took too long' : lastLine(message);
    const missingBecause = `a real S3 server (versitygw ${version}) could not be had: ${reason}`;
    if (env.CI === 'true') throw new Error(missingBecause);
    process.stderr.write(`Skipped, because ${missingBecause}.\n`);
    return { missingBecause };
  }
}

async function findOrBuild(env: NodeJS.ProcessEnv): Promise<string> {
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'bluejay', `versitygw-${version}-${process.platform}-${process.arch}`);
  const binary = join(folder, 'versitygw');
  const isBuilt = await access(binary, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (isBuilt) return binary;

  await mkdir(folder, { recursive: true });
  const building = await mkdtemp(join(folder, 'building-'));
  try {
    process.stderr.write(`Building versitygw ${version} (once, a minute or two) ...\n`);
    await promisify(execFile)('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${version}`], {
      env: { ...env, GOBIN: building },
      timeout: buildTimeoutMs,
    });
    // Moved into place whole: a half-written program is never found by the next run.
    await rename(join(building, 'versitygw'), binary);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return binary;
}

/** Starts it on an empty folder. It ends with this process, however this process ends. */
export async function startVersitygw(binary: string): Promise<StartedStore> {
  const [accessKeyId, secretAccessKey, region] = ['versitygw-key', 'versitygw-secret', 'us-east-1'];
  const folder = await mkdtemp(join(tmpdir(), 'versitygw-'));
  const port = await findFreePort();
  // The shell's input is a pipe from here: it ends when we do, even by kill -9, and takes the server along.
  const watched = '"$@" & server=$!; cat >/dev/null; kill "$server"; wait "$server"';
  const flags = ['--port', `127.0.0.1:${port}`, '--region', region, '--health', '/healthz', '--quiet', 'posix', folder];
  const shell = spawn('sh', ['-c', watched, 'sh', binary, ...flags], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH, ROOT_ACCESS_KEY_ID: accessKeyId, ROOT_SECRET_ACCESS_KEY: secretAccessKey },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const refuseUnwell = async () => {
    const { ok } = await fetch(`${endpoint}/healthz`);
    if (!ok) throw new Error('versitygw is not well');
  };
  await eventually(refuseUnwell, { withinMs: 10_000 });

  return {
    settings: { endpoint, publicEndpoint: endpoint, bucket: 'bluejay', region, accessKeyId, secretAccessKey },
    async stop() {
      const ended = once(shell, 'exit');
      shell.stdin.end();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? text;
}
