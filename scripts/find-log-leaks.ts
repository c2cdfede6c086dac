import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** Prefixes of our secrets. */
const secretPrefixes = ['bjk_', 'bja_', 'bjr_', 'bjo_', 'whsec_'];
/** The street of the recipients in tests. */
const streets = ['Rue Haute 1'];

/**
 * Returns the lines of a process's output that contain a secret or one of the texts that a test has planted, such as a
 * recipient's street or a receiver's answer. These must never be logged.
 */
export function findLeaks(output: string, planted: readonly string[] = []): string[] {
  return output.split('\n').filter((line) => isLeak(line, planted));
}

const maxLeaks = 20;

/** Returns at most 20 such lines of a file of any size. */
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
