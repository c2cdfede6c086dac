import { userInfo } from 'node:os';
import { CommanderError } from 'commander';
import { systemClock } from '#common/clock.ts';
import { readConfig } from '#common/config/config.ts';
import { createLog } from '#common/platform/process/log.ts';
import { createObjectStoreClient } from '#common/platform/s3/s3.ts';
import { createKeyRing } from '#common/secrets.ts';
import { requireMigrated, withMongo } from '../program/with-mongo.ts';
import { withRedis } from '../program/with-redis.ts';
import type { AdminServices, AnyAdminCommand } from './command.ts';
import { commands } from './commands.ts';
import { checkInput, describeProblems } from './describe-problems.ts';
import { findStores } from './find-stores.ts';
import { type CommandCall, type Output, parseCommandLine } from './parse-command-line.ts';
import { type PasswordInput, readPassword } from './read-password.ts';

export type AdminOptions = {
  environment: Record<string, string | undefined>;
  /** The base of relative paths. */
  workingDir: string;
  output: Output;
  /** Standard input, for passwords. */
  input: PasswordInput;
};

/**
 * Runs one admin command and returns the exit code. The result is the last line on standard output. Each problem is one
 * line on standard error, and the exit code is then 1: so it is for a result that needs the operator.
 */
export async function runAdmin(words: readonly string[], options: AdminOptions): Promise<number> {
  const { output } = options;
  let call: CommandCall;
  try {
    call = parseCommandLine(words, commands, output);
  } catch (error) {
    // Commander has already printed the problem.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    throw error;
  }
  try {
    const input = checkInput(call.command, call.input);
    const result = await runConnected(call.command, input, options);
    output.write(`${call.asJson ? JSON.stringify(result) : call.command.describe(result as never)}\n`);
    return call.command.hasFailed?.(result as never) ? 1 : 0;
  } catch (error) {
    for (const line of describeProblems(error, call.command)) output.writeError(`${line}\n`);
    return 1;
  }
}

async function runConnected(
  command: AnyAdminCommand,
  input: unknown,
  { environment, workingDir, input: standardInput, output }: AdminOptions,
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
  return await withMongo(config.mongo.url, 'bluejay-admin', async () => {
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
