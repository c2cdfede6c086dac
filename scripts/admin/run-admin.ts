import { userInfo } from 'node:os';
import { CommanderError } from 'commander';
import { systemClock } from '../../common/clock.ts';
import { readConfig } from '../../common/config.ts';
import { createLog } from '../../common/platform/log.ts';
import { findPending } from '../../common/platform/migrate.ts';
import { connectMongo, disconnectMongo } from '../../common/platform/mongo.ts';
import { migrations } from '../../common/schema/migrations.ts';
import { createKeyRing } from '../../common/secrets.ts';
import { OperatorError } from '../operator-error.ts';
import type { AdminServices, AnyAdminCommand } from './command.ts';
import { commands } from './commands.ts';
import { checkInput, describeProblems } from './describe-problems.ts';
import { findStores } from './find-stores.ts';
import { type CommandCall, type Output, parseCommandLine } from './parse-command-line.ts';

export type AdminOptions = {
  environment: Record<string, string | undefined>;
  /** Where relative paths start. */
  workingDir: string;
  output: Output;
};

/**
 * Runs one command of the administration and returns the exit code. The result is the last line on `output`; every
 * problem is one line on its error side, and makes the code 1.
 */
export async function runAdmin(words: readonly string[], options: AdminOptions): Promise<number> {
  const { output } = options;
  let call: CommandCall;
  try {
    call = parseCommandLine(words, commands, output);
  } catch (error) {
    // Commander has said what is wrong already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    throw error;
  }
  try {
    const input = checkInput(call.command, call.input);
    const result = await runConnected(call.command, input, options);
    output.write(`${call.asJson ? JSON.stringify(result) : call.command.describe(result as never)}\n`);
    return 0;
  } catch (error) {
    for (const line of describeProblems(error, call.command)) output.writeError(`${line}\n`);
    return 1;
  }
}

async function runConnected(
  command: AnyAdminCommand,
  input: unknown,
  { environment, workingDir }: AdminOptions,
): Promise<unknown> {
  const config = readConfig(await findStores(environment));
  const services: AdminServices = {
    config,
    keyRing: createKeyRing(config.encryptionKeys),
    clock: systemClock,
    actor: { kind: 'cli', id: readAccountName() },
    // Standard output belongs to the result, and what goes wrong is told in a sentence.
    log: createLog('admin', 'silent'),
    workingDir,
  };
  await connectMongo(config.mongo.url, 'bluejay-admin');
  try {
    const isReady = command.runsUnmigrated || (await findPending(migrations)).length === 0;
    if (!isReady) throw new OperatorError('The database needs migrating first: npm run admin -- migrate');
    return await command.run(input as never, services);
  } finally {
    await disconnectMongo();
  }
}

/** The account on this machine; in a container it may have a number only. */
function readAccountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
