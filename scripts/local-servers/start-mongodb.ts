import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../program/operator-error.ts';
import { becomePrimary, renameMember, replicaSet } from './become-primary.ts';
import type { KeptProgram } from './keeper/keeper-protocol.ts';
import type { KeptProcess } from './keeper/start-keeper.ts';
import { type LocalServer, prepareServer, type ServerOptions, startListening } from './start-server.ts';

export type MongodbOptions = ServerOptions & {
  /** Enables `failCommand`, which tests use to inject faults. */
  isTest: boolean;
  /** Cache size. The small default suits a developer's machine. */
  cacheGb?: number | undefined;
  /** Further server parameters, as `name=value`. */
  parameters?: readonly string[];
};

/** Prepares the folders and the program of a MongoDB server: a member of the replica set, or by itself. */
export async function prepareMongodb(options: MongodbOptions) {
  const { binary, dataDir } = options;
  const { port, logFile, ...prepared } = await prepareServer(dataDir, 'mongodb');
  const standalone: KeptProgram = {
    ...prepared.program,
    name: 'MongoDB',
    command: binary.path,
    args: ['--dbpath', prepared.program.cwd, '--port', String(port), ...argumentsOf(options)],
    environment: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/' },
    stopWithinMs: 20_000,
  };
  const member = { ...standalone, args: [...standalone.args, '--replSet', replicaSet, '--oplogSize', '512'] };
  return { port, logFile, standalone, member };
}

/**
 * Starts a one-member replica set, which transactions need, on a loopback port. Returns once it is primary. Throws
 * OperatorError.
 */
export async function startMongodb(options: MongodbOptions): Promise<LocalServer> {
  const { keeper, binary, dataDir } = options;
  const { port, logFile, standalone, member } = await prepareMongodb(options);
  const host = `127.0.0.1:${port}`;
  const noteFile = join(dataDir, 'run', 'mongodb.last');
  const start = async (): Promise<KeptProcess> => {
    const last = await readNote(noteFile);
    const hasData = existsSync(join(dataDir, 'mongodb', 'WiredTiger'));
    try {
      if (hasData && last.host !== host) {
        const kept = await startListening(keeper, standalone, port);
        await renameMember(host);
        await kept.stop();
      }
      const kept = await startListening(keeper, member, port);
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
    logFile,
    process: await start(),
    environment: { MONGODB_URI: `mongodb://${host}/bluejay?replicaSet=${replicaSet}` },
    restart: start,
  };
}

const hourMs = 3_600_000;

function argumentsOf({ isTest, cacheGb = 0.25, parameters = [] }: MongodbOptions): string[] {
  const all = [
    'diagnosticDataCollectionEnabled=false',
    // The only member would otherwise wait at shutdown for another one to become primary.
    'shutdownTimeoutMillisForSignaledShutdown=100',
    // A transaction of a killed process blocks its wallets for this long. Running processes abort theirs after 5 s.
    'transactionLifetimeLimitSeconds=7',
    ...(isTest ? ['enableTestCommands=1'] : []),
    ...parameters,
  ];
  return [
    ...['--bind_ip', '127.0.0.1', '--nounixsocket', '--wiredTigerCacheSizeGB', String(cacheGb)],
    // Slower operations are logged with their values, so names and addresses.
    ...['--slowms', String(hourMs)],
    ...all.flatMap((parameter) => ['--setParameter', parameter]),
  ];
}

/** Member address and MongoDB version of the last successful start. */
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
      `open them. Put a mongod ${lastVersion} first on PATH, or use an empty folder: DATA_DIR=/path npm start`,
  );
}
