import { userInfo } from 'node:os';
import { systemClock } from '#common/clock.ts';
import { readConfig } from '#common/config/config.ts';
import { createLog } from '#common/platform/process/log.ts';
import { createObjectStoreClient } from '#common/platform/s3/s3.ts';
import { createKeyRing } from '#common/secrets.ts';
import { requireMigrated, withMongo } from '../program/with-mongo.ts';
import { withRedis } from '../program/with-redis.ts';
import type { AdminServices, AnyAdminCommand } from './command.ts';
import { checkInput, describeProblems } from './describe-problems.ts';
import { findStores } from './find-stores.ts';
import type { CommandCall, Output } from './parse-command-line.ts';
import { type PasswordInput, readPassword } from './read-password.ts';

export type AdminOptions = {
  environment: Record<string, string | undefined>;
  /** The base of relative paths. */
  workingDir: string;
  output: Output;
  /** Standard input, for passwords. */
  input: PasswordInput;
  /** Connects the models while a command runs. A process whose models are connected passes a function of its own. */
  withDatabase?: typeof withMongo;
};

/** Runs a parsed command on the stores and prints its result or its problems. Returns the exit code. */
export async function runCommand(
  { command, input: given, asJson }: CommandCall,
  options: AdminOptions,
): Promise<number> {
  const { output } = options;
  try {
    const input = checkInput(command, given);
    const result = await runConnected(command, input, options);
    output.write(`${asJson ? JSON.stringify(result) : command.describe(result as never)}\n`);
    return command.hasFailed?.(result as never) ? 1 : 0;
  } catch (error) {
    for (const line of describeProblems(error, command)) output.writeError(`${line}\n`);
    return 1;
  }
}

async function runConnected(
  command: AnyAdminCommand,
  input: unknown,
  { environment, workingDir, input: standardInput, output, withDatabase = withMongo }: AdminOptions,
): Promise<unknown> {
  const config = readConfig(await findStores(environment));
  // Standard output is reserved for the result, and problems are printed as sentences.
  const log = createLog('admin', 'silent');
  const services: AdminServices = {
    config,
    keyRing: createKeyRing(config.encryptionKeys),
    clock: systemClock,
    actor: { kind: 'cli', id: readAccountName() },
    log,
    withRedis: (work) => withRedis(config.redis, log, work),
    withStore: async (work) => {
      const store = createObjectStoreClient(config.s3);
      return await work(store).finally(store.close);
    },
    readPassword: () => readPassword(standardInput, output.writeError),
    workingDir,
  };
  return await withDatabase(config.mongo.url, 'bluejay-admin', async () => {
    if (!command.runsUnmigrated) await requireMigrated();
    return await command.run(input as never, services);
  });
}

/** Returns the account on this machine. In a container it may have a number only. */
function readAccountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
