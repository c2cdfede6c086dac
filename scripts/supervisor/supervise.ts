import { setTimeout as pause } from 'node:timers/promises';
import type { ProgramEnd } from '../local-servers/keeper-protocol.ts';
import type { KeptProcess } from '../local-servers/start-keeper.ts';
import { OperatorError } from '../operator-error.ts';

/** A program that shall run as long as we do. */
export type Supervised = {
  /** For people: `The API`. */
  name: string;
  process: KeptProcess;
  /** Starts it once more and settles when it serves; rejects when it ends before that. */
  restart(): Promise<KeptProcess>;
  /** What it said last, for the message about its death. */
  lastLines(): string[];
};

export type SuperviseOptions = {
  /** Shows the person at the terminal what happened. */
  report: (line: string) => void;
  /** Aborted when everything is being stopped: from then on an end is no death. */
  stopping: AbortSignal;
  /** Waits before the restarts after the first, second, … quick death; then it is given up. Milliseconds. */
  backOffMs?: readonly number[];
};

const defaultBackOffMs = [500, 1_000, 2_000, 5_000] as const;
/** A program that served this long before it died starts the count anew. */
const quickDeathMs = 60_000;

/**
 * Starts the program again each time it dies, with growing pauses. Settles when everything is being stopped; rejects
 * with OperatorError when it keeps dying: five quick deaths in a row.
 */
export async function supervise(program: Supervised, options: SuperviseOptions): Promise<void> {
  const { report, stopping, backOffMs = defaultBackOffMs } = options;
  let current: KeptProcess | undefined = program.process;
  let quickDeaths = 0;
  while (!stopping.aborted) {
    const startedAt = performance.now();
    const end: ProgramEnd | undefined = await current?.ended;
    if (stopping.aborted) return;
    quickDeaths = performance.now() - startedAt < quickDeathMs ? quickDeaths + 1 : 1;
    const delayMs = backOffMs[quickDeaths - 1];
    const what = `${program.name} ${describeEnd(end)}`;
    const words = program.lastLines().slice(-5);
    report([`${what}${words.length > 0 ? '. Its last words:' : '.'}`, ...words.map((line) => `  ${line}`)].join('\n'));
    if (delayMs === undefined) {
      throw new OperatorError(
        `${what} ${quickDeaths} times in a row. Mend what its last words tell, then start again.`,
      );
    }
    await pause(delayMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    current = await program.restart().catch(() => undefined);
    if (current) report(`${program.name} runs again.`);
  }
}

/** `ended with exit code 1`, `was ended by SIGKILL`. */
export function describeEnd(end: ProgramEnd | undefined): string {
  if (!end) return 'did not come up';
  return end.signal ? `was ended by ${end.signal}` : `ended with exit code ${end.code}`;
}
