import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgramEnd } from '../local-servers/keeper/keeper-protocol.ts';
import type { KeptProcess } from '../local-servers/keeper/start-keeper.ts';
import { OperatorError } from '../program/operator-error.ts';

/** A program that must run as long as this process does. */
export type Supervised = {
  /** For people: `The API`. */
  name: string;
  process: KeptProcess;
  /** Starts it again. Settles when it serves, and rejects when it ends before that. */
  restart(): Promise<KeptProcess>;
  /** Returns its last lines of output, for the message about its end. */
  lastLines(): string[];
};

export type SuperviseOptions = {
  /** Prints a line on the terminal. */
  report: (line: string) => void;
  /** Aborted when everything is being stopped. From then on programs are expected to end. */
  stopping: AbortSignal;
  /**
   * Delays before the restarts after the first, second, … quick end, in milliseconds. After the last one it gives up.
   */
  backOffMs?: readonly number[];
};

const defaultBackOffMs = [500, 1_000, 2_000, 5_000] as const;
/** A program that ran at least this long resets the count. */
const quickEndMs = 60_000;

/**
 * Restarts the program each time it ends, with increasing delays. Settles when everything is being stopped. Rejects
 * with an OperatorError after five quick ends in a row.
 */
export async function supervise(program: Supervised, options: SuperviseOptions): Promise<void> {
  const { report, stopping, backOffMs = defaultBackOffMs } = options;
  let current: KeptProcess | undefined = program.process;
  let quickEnds = 0;
  while (!stopping.aborted) {
    const startedAt = performance.now();
    const end: ProgramEnd | undefined = await current?.ended;
    if (stopping.aborted) return;
    quickEnds = performance.now() - startedAt < quickEndMs ? quickEnds + 1 : 1;
    const delayMs = backOffMs[quickEnds - 1];
    const what = `${program.name} ${describeEnd(end)}`;
    const lines = program.lastLines().slice(-5);
    report([`${what}${lines.length > 0 ? '. Its last output:' : '.'}`, ...lines.map((line) => `  ${line}`)].join('\n'));
    if (delayMs === undefined) {
      throw new OperatorError(
        `${what} ${quickEnds} times in a row. Fix what its last output reports, then start again.`,
      );
    }
    await sleep(delayMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    current = await program.restart().catch(() => undefined);
    if (current) report(`${program.name} has restarted.`);
  }
}

/** Returns `ended with exit code 1` or `was ended by SIGKILL`. */
export function describeEnd(end: ProgramEnd | undefined): string {
  if (!end) return 'did not come up';
  return end.signal ? `was ended by ${end.signal}` : `ended with exit code ${end.code}`;
}
