import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { becomePrimary, renameMember, replicaSet } from './become-primary.ts';
import type { ServerBinary } from './binary.ts';
import type { KeptProgram } from './keeper-protocol.ts';
import { findRememberedPort } from './ports.ts';
import type { Keeper } from './start-keeper.ts';
import { type LocalServer, startListening } from './start-server.ts';

export type MongodbOptions = {
  keeper: Keeper;
  binary: ServerBinary;
  /** The data lie in `<dataDir>/mongodb`, the log in `<dataDir>/logs/mongodb.log`. */
  dataDir: string;
  /** Lets tests inject faults by `failCommand`. */
  isTest: boolean;
};

/** A one-member replica set (transactions need one) on a loopback port, with its primary elected. */
export async function startMongodb({ keeper, binary, dataDir, isTest }: MongodbOptions): Promise<LocalServer> {
  const folder = join(dataDir, 'mongodb');
  await mkdir(folder, { recursive: true });
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  const port = await findRememberedPort(dataDir, 'mongodb');
  const parameters = [
    'diagnosticDataCollectionEnabled=false',
    // Alone in its set it would otherwise wait, at its end, for a successor that cannot come.
    'shutdownTimeoutMillisForSignaledShutdown=100',
    ...(isTest ? ['enableTestCommands=1'] : []),
  ];
  const logFile = join(dataDir, 'logs', 'mongodb.log');
  const program: KeptProgram = {
    name: 'MongoDB',
    command: binary.path,
    args: [
      ...['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
      ...['--wiredTigerCacheSizeGB', '0.25'],
      ...parameters.flatMap((parameter) => ['--setParameter', parameter]),
    ],
    cwd: folder,
    environment: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/' },
    output: { file: logFile },
    identityFile: join(dataDir, 'run', 'mongodb.json'),
    wave: 1,
    stopWithinMs: 20_000,
  };
  const inSet = { ...program, args: [...program.args, '--replSet', replicaSet, '--oplogSize', '512'] };
  const host = `127.0.0.1:${port}`;
  const memberFile = join(dataDir, 'run', 'mongodb.member');
  const start = async () => {
    if ((await exists(join(folder, 'WiredTiger'))) && (await readMember(memberFile)) !== host) {
      const alone = await startListening(keeper, program, port);
      await renameMember(host);
      await alone.stop();
    }
    const kept = await startListening(keeper, inSet, port);
    await becomePrimary(host);
    await writeFile(memberFile, `${host}\n`);
    return kept;
  };
  return {
    name: 'MongoDB',
    version: binary.version,
    port,
    logFile,
    process: await start(),
    environment: { MONGODB_URI: `mongodb://${host}/bluejay?replicaSet=${replicaSet}` },
    restart: start,
  };
}

/** The address that the set's member had at the last start that came up. */
async function readMember(memberFile: string): Promise<string> {
  return (await readFile(memberFile, 'utf8').catch(() => '')).trim();
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
