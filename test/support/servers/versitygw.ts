import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findVersitygw } from '#scripts/local-servers/binaries/find-versitygw.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { eventually } from '../jest.ts';
import type { StartedStore } from './object-store-world.ts';

/** A third-party S3 server, built from source once and kept in the user's cache folder. */
export type Versitygw = { binary: string } | { missingBecause: string };

/**
 * Finds the server, or builds it with Go, which takes minutes. Only `.ci/run` asks for it, by TEST_REAL_S3. Otherwise
 * returns the reason, for the title of the skipped suite.
 */
export async function bringVersitygw(env: NodeJS.ProcessEnv): Promise<Versitygw> {
  if (env.TEST_REAL_S3 !== 'true') return { missingBecause: 'only .ci/run builds a real S3 server' };
  return { binary: await findVersitygw(env, (line) => process.stderr.write(`${line}\n`)) };
}

/** Starts the server on an empty folder. It ends when this process ends, for whatever reason. */
export async function startVersitygw(binary: string): Promise<StartedStore> {
  const [accessKeyId, secretAccessKey, region] = ['versitygw-key', 'versitygw-secret', 'us-east-1'];
  const folder = await mkdtemp(join(tmpdir(), 'versitygw-'));
  const port = await findFreePort();
  // The shell's input is a pipe from this process. It closes when this process ends, even by kill -9, and ends the server.
  const watched = '"$@" & server=$!; cat >/dev/null; kill "$server"; wait "$server"';
  const flags = ['--port', `127.0.0.1:${port}`, '--region', region, '--health', '/healthz', '--quiet', 'posix', folder];
  const shell = spawn('sh', ['-c', watched, 'sh', binary, ...flags], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH, ROOT_ACCESS_KEY_ID: accessKeyId, ROOT_SECRET_ACCESS_KEY: secretAccessKey },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const requireHealthy = async () => {
    const { ok } = await fetch(`${endpoint}/healthz`);
    if (!ok) throw new Error('versitygw is not healthy');
  };
  await eventually(requireHealthy);

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
