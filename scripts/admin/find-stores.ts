import { resolve } from 'node:path';
import { readSecrets } from '#common/config/config.ts';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { findClaimant } from '../local-servers/claim-data-dir.ts';
import { readRunningEnvironment } from '../local-servers/running-environment.ts';
import { OperatorError } from '../program/operator-error.ts';

type Environment = Record<string, string | undefined>;

/** With these four set, a command does not look for a running `npm start`. */
const storeVariables = ['MONGODB_URI', 'REDIS_URL', 'S3_ENDPOINT', 'ENCRYPTION_KEYS'] as const;
/** How long to wait for an `npm start` that is still starting. */
const startUpWithinMs = 60_000;

/**
 * Returns the environment of the stores: the given one, completed from the `npm start` that runs on DATA_DIR unless the
 * given one names another database. Throws OperatorError without either, ConfigError when a secret's file is unusable.
 */
export async function findStores(given: Environment): Promise<Environment> {
  const present: Environment = readSecrets(given);
  if (storeVariables.every((name) => present[name])) return present;
  const dataDir = resolve(present.DATA_DIR ?? '.data');
  const running = await waitForRunning(dataDir);
  const isSameDatabase = !present.MONGODB_URI || present.MONGODB_URI === running?.MONGODB_URI;
  if (running && isSameDatabase) return { ...running, ...present };
  if (present.MONGODB_URI) return present;

  throw new OperatorError(
    `No npm start runs on ${dataDir}, and MONGODB_URI is not set: start it, or name the stores in the environment.`,
  );
}

async function waitForRunning(dataDir: string): Promise<Environment | undefined> {
  let running: Environment | undefined;
  const isSettled = async () => {
    running = await readRunningEnvironment(dataDir);
    return running !== undefined || findClaimant(dataDir) === undefined;
  };
  if (await pollUntil(isSettled, { everyMs: 100, withinMs: startUpWithinMs })) return running;
  throw new OperatorError(`The start on ${dataDir} has not come up in a minute.`);
}
