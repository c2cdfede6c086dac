/** How our secrets begin, and what no log line of a test may hold. */
const secretPrefixes = ['bjk_', 'bja_', 'bjr_', 'whsec_'];

/**
 * The lines of a process's output that hold what must never be logged: a secret of ours, or one of the texts that the
 * test has planted (a recipient's street, a receiver's answer). None is what a test wants.
 */
export function findLeaks(output: string, planted: readonly string[] = []): string[] {
  const forbidden = [...secretPrefixes, ...planted];
  return output.split('\n').filter((line) => forbidden.some((text) => line.includes(text)));
}
