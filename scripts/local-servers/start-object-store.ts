import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptProgram } from './keeper/keeper-protocol.ts';
import type { Keeper } from './keeper/start-keeper.ts';
import { readLocalKeys } from './local-keys.ts';
import { findRememberedPort } from './ports.ts';
import { type LocalServer, startListening } from './start-server.ts';

const bucket = 'bluejay';
const region = 'us-east-1';
const programFile = join(import.meta.dirname, 'object-store', 'main.ts');

export type ObjectStoreOptions = {
  keeper: Keeper;
  /** Objects go to `<dataDir>/objects`, the log to `<dataDir>/logs/object-store.log`. */
  dataDir: string;
};

/** Starts the embedded object store on a loopback port. Each data folder has its own credentials. */
export async function startObjectStore({ keeper, dataDir }: ObjectStoreOptions): Promise<LocalServer> {
  const folder = join(dataDir, 'objects');
  await mkdir(folder, { recursive: true });
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  const { accessKeyId, secretAccessKey } = await readLocalKeys(dataDir);
  const port = await findRememberedPort(dataDir, 'object-store');
  const logFile = join(dataDir, 'logs', 'object-store.log');
  const program: KeptProgram = {
    name: 'The object store',
    command: process.execPath,
    args: [
      programFile,
      ...['--port', String(port), '--host', '127.0.0.1', '--dir', folder, '--bucket', bucket],
      ...['--access-key', accessKeyId, '--region', region, '--parent', String(keeper.pid)],
    ],
    cwd: folder,
    // Not an argument, because every user of the machine can list those.
    environment: { PATH: process.env.PATH ?? '', OBJECT_STORE_SECRET_KEY: secretAccessKey },
    output: { file: logFile },
    identityFile: join(dataDir, 'run', 'object-store.json'),
    wave: 1,
    stopWithinMs: 10_000,
  };
  const start = () => startListening(keeper, program, port);
  return {
    name: 'Object store',
    version: '',
    port,
    logFile,
    process: await start(),
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    restart: start,
  };
}
