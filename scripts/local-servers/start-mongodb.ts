import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { becomePrimary, renameMember, replicaSet } from './become-primary.ts';
import type { ServerBinary } from './binary.ts';
import type { KeptProgram } from './keeper-protocol.ts';
import { findRememberedPort } from './ports.ts';
import type { Keeper, KeptProcess } from './start-keeper.ts';
import { type LocalServer, startListening } from './start-server.ts';

export type MongodbOptions = {
  keeper: Keeper;
  binary: ServerBinary;
  /** The data lie in `<dataDir>/mongodb`, the log in `<dataDir>/logs/mongodb.log`. */
  dataDir: string;
  /** Lets tests inject faults by `failCommand`. */
  isTest: boolean;
  /** Of the database in memory; without it little, as on a machine that has other things to do. */
  cacheGb?: number | undefined;
};

/** A one-member replica set (transactions need one) on a loopback port, with its primary elected. Throws OperatorError. */
export async function startMongodb(options: MongodbOptions): Promise<LocalServer> {
  const { keeper, binary, dataDir } = options;
  await mkdir(join(dataDir, 'mongodb'), { recursive: true });
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  const port = await findRememberedPort(dataDir, 'mongodb');
  const host = `127.0.0.1:${port}`;
  const alone = describeProgram(options, port);
  const inSet = { ...alone, args: [...alone.args, '--replSet', replicaSet, '--oplogSize', '512'] };
  const noteFile = join(dataDir, 'run', 'mongodb.last');
  const start = async (): Promise<KeptProcess> => {
    const last = await readNote(noteFile);
    const hasData = await access(join(dataDir, 'mongodb', 'WiredTiger')).then(
      () => true,
      () => false,
    );
    try {
      if (hasData && last.host !== host) {
        const kept = await startListening(keeper, alone, port);
        await renameMember(host);
        await kept.stop();
      }
      const kept = await startListening(keeper, inSet, port);
      await becomePrimary(host);
      await writeFile(noteFile, JSON.stringify({ host, version: binary.version } satisfies Note));
      return kept;
    } catch (error) {
      throw hasData && last.version && last.version !== binary.version ? otherVersion(options, last.version) : error;
    }
  };
  return {
    name: 'MongoDB',
    version: binary.version,
    port,
    logFile: logFileOf(dataDir),
    process: await start(),
    environment: { MONGODB_URI: `mongodb://${host}/bluejay?replicaSet=${replicaSet}` },
    restart: start,
  };
}

/** `mongod` without its set. */
function describeProgram({ binary, dataDir, isTest, cacheGb = 0.25 }: MongodbOptions, port: number): KeptProgram {
  const folder = join(dataDir, 'mongodb');
  const parameters = [
    'diagnosticDataCollectionEnabled=false',
    // Alone in its set it would otherwise wait, at its end, for a successor that cannot come.
    'shutdownTimeoutMillisForSignaledShutdown=100',
    // What a killed process had begun holds its wallets until then; ours give up after 5 s by themselves.
    'transactionLifetimeLimitSeconds=7',
    ...(isTest ? ['enableTestCommands=1'] : []),
  ];
  return {
    name: 'MongoDB',
    command: binary.path,
    args: [
      ...['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
      ...['--wiredTigerCacheSizeGB', String(cacheGb)],
      ...parameters.flatMap((parameter) => ['--setParameter', parameter]),
    ],
    cwd: folder,
    environment: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/' },
    output: { file: logFileOf(dataDir) },
    identityFile: join(dataDir, 'run', 'mongodb.json'),
    wave: 1,
    stopWithinMs: 20_000,
  };
}

function logFileOf(dataDir: string): string {
  return join(dataDir, 'logs', 'mongodb.log');
}

/** How the last start that came up has left the data: the address of the set's member, and who wrote them. */
type Note = { host: string; version: string };

async function readNote(noteFile: string): Promise<Partial<Note>> {
  try {
    return JSON.parse(await readFile(noteFile, 'utf8'));
  } catch {
    return {};
  }
}

function otherVersion({ binary, dataDir }: MongodbOptions, lastVersion: string): OperatorError {
  return new OperatorError(
    `The data in ${dataDir} were written by MongoDB ${lastVersion}, and ${binary.path}, version ${binary.version}, cannot ` +
      `open them. Put a mongod ${lastVersion} first on PATH, or begin anew in another folder: DATA_DIR=/path npm start`,
  );
}
