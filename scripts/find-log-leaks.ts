import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** How our secrets begin. */
const secretPrefixes = ['bjk_', 'bja_', 'bjr_', 'bjo_', 'whsec_'];
/** Where the recipients of the tests' letters live. */
const streets = ['Rue Haute 1'];

/**
 * The lines of a process's output that hold what must never be logged: a secret of ours, or one of the texts that a
 * test has planted (a recipient's street, a receiver's answer). None is what is wanted.
 */
export function findLeaks(output: string, planted: readonly string[] = []): string[] {
  return output.split('\n').filter((line) => isLeak(line, planted));
}

const maxLeaks = 20;

/** The same of a file of any length, 20 lines at most. */
export async function findLeaksInFile(path: string): Promise<string[]> {
  const leaks: string[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (isLeak(line, streets)) leaks.push(line);
    if (leaks.length === maxLeaks) break;
  }
  return leaks;
}

function isLeak(line: string, planted: readonly string[]): boolean {
  return [...secretPrefixes, ...planted].some((text) => line.includes(text));
}
