import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import type { KeptProgram } from '../local-servers/keeper/keeper-protocol.ts';
import type { Keeper, KeptProcess } from '../local-servers/keeper/start-keeper.ts';
import { OperatorError } from '../program/operator-error.ts';
import { followProgram } from './program-log.ts';
import { describeEnd, type Supervised } from './supervise.ts';
import { terminal } from './terminal.ts';

const root = join(import.meta.dirname, '../..');
const readyWithinMs = 60_000;

export type NodeProgramOptions = {
  keeper: Keeper;
  /** For people: `The API`. */
  name: string;
  /** The base name of its log file: `api`. */
  key: string;
  /** Relative to the repository: `api/server.ts`. */
  entry: string;
  channel: 0 | 1;
  dataDir: string;
  environment: Record<string, string>;
};

/** Starts API or workers and waits for the line `ready`. Throws an OperatorError with the last lines of its output. */
export async function startNodeProgram(options: NodeProgramOptions): Promise<Supervised> {
  const { keeper, name, key, entry, channel, dataDir, environment } = options;
  const logFile = join(dataDir, 'logs', `${key}.log`);
  const log = followProgram(keeper.channels[channel], logFile, (line) => terminal.warn(`${name}: ${line}`));
  const program: KeptProgram = {
    name,
    command: process.execPath,
    args: [join(root, entry)],
    cwd: root,
    environment,
    output: { channel },
    identityFile: join(dataDir, 'run', `${key}.json`),
    wave: 2,
    // The programs end by themselves within 28 s of SIGTERM.
    stopWithinMs: 29_000,
  };
  const start = async (): Promise<KeptProcess> => {
    const isReady = log.waitUntilReady();
    const kept = await keeper.start(program);
    const outcome = await withTimeout(Promise.race([isReady, kept.ended]), readyWithinMs, () => 'late' as const);
    if (outcome === undefined) return kept;
    if (outcome === 'late') await kept.stop();
    // Exit status and output arrive on different pipes, so wait for the rest of the output.
    await sleep(50);
    const how = outcome === 'late' ? `was not ready within ${readyWithinMs / 1000} s` : describeEnd(outcome);
    const lines = log.lastLines().map((line) => `  ${line}`);
    throw new OperatorError([`${name} ${how}. Its last output:`, ...lines, `Full log: ${logFile}`].join('\n'));
  };
  return { name, process: await start(), restart: start, lastLines: log.lastLines };
}
