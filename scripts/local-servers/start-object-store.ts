import { join } from 'node:path';
import type { KeptProgram } from './keeper/keeper-protocol.ts';
import { readLocalKeys } from './local-keys.ts';
import { type LocalServer, prepareServer, type ServerOptions, startListening } from './start-server.ts';

const [bucket, region] = ['bluejay', 'us-east-1'];
const programFile = join(import.meta.dirname, 'object-store', 'main.ts');

/** Starts the embedded object store on a loopback port. Each data folder has its own credentials. */
export async function startObjectStore(options: Omit<ServerOptions, 'binary'>): Promise<LocalServer> {
  const { keeper, dataDir } = options;
  const { port, logFile, ...prepared } = await prepareServer(dataDir, 'object-store', 'objects');
  const { accessKeyId, secretAccessKey } = await readLocalKeys(dataDir);
  const store = {
    bucket,
    region,
    accessKeyId,
    secretAccessKey,
    port,
    dir: prepared.program.cwd,
    parentPid: keeper.pid,
  };
  const program: KeptProgram = {
    ...prepared.program,
    name: 'The object store',
    command: process.execPath,
    args: [programFile],
    // Not arguments, because every user of the machine can list those.
    environment: { PATH: process.env.PATH ?? '', OBJECT_STORE: JSON.stringify(store) },
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
