import { type FileContent, measure } from '../file-content.ts';
import { DocumentError } from '../isolation/document-error.ts';
import type { WarmPool } from '../warm/warm-pool.ts';

type Result = FileContent & { pageCount: number };

/**
 * Compares the result of a warm process with that of a process of its own, which it returns. When they differ, also in
 * that only one of them found a fault, the warm processes are stopped for good. When the machine was too busy for the
 * comparison, the result of the warm process is returned. Throws what `repeatAlone` throws.
 */
export async function compare<Warm extends Result, Alone extends Result>(
  { warmPool }: { warmPool: WarmPool | null },
  warm: Warm,
  repeatAlone: () => Promise<Alone>,
): Promise<Warm | Alone> {
  const found = await describe(warm);
  try {
    const own = await repeatAlone();
    const expected = await describe(own);
    if (found !== expected) warmPool?.distrust({ warm: found, own: expected });
    return own;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (isOutOfTime(error)) return warm;
    warmPool?.distrust({ warm: found, fault: error.fault });
    throw error;
  }
}

/** A busy machine causes these, whatever the file is. */
const isOutOfTime = ({ fault }: DocumentError) => fault === 'out_of_time' || fault === 'out_of_cpu';

async function describe(result: Result): Promise<string> {
  const { sha256 } = await measure(result);
  return `${result.pageCount} pages, SHA-256 ${sha256}`;
}
