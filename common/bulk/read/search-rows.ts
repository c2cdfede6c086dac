import { setImmediate as nextLoop } from 'node:timers/promises';
import type { CursorCodec } from '#common/cursor.ts';
import { AppError, invalid } from '#common/errors.ts';
import { foldForSearch } from '#common/fields/fold-text.ts';
import { createFairSemaphore, SemaphoreFullError, withPermit } from '#common/platform/concurrency/fair-semaphore.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Page, PageQuery } from '#common/platform/mongo/read-page.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import { BulkRow, type BulkRowRecord, rowsOfBulk } from '../model/bulk-row.model.ts';
import { type SentRow, withJobs } from './read-bulk.ts';
import { readRows } from './read-rows.ts';

const searchedFields = ['name', 'company', 'line1', 'box', 'line2', 'zip', 'city', 'reference'] as const;

/** What one search reads. The next one continues behind it. */
export const maxSearched = { rows: 20_000, characters: 4_000_000 };
/** Characters that are searched before other work of the process runs: about 2 ms. */
const charactersPerTurn = 4_000;
/** No address has more in one line. With this, a reply of MongoDB has at most 4 MB. */
const charactersPerCell = 200;
const batchRows = 200;
/** Most different words of a search: each is compared with each row. */
export const maxSearchWords = 8;
/** Searches that this process runs and that wait. Each may occupy it for half a second. */
const searching = createFairSemaphore({ permits: 1, maxWaiting: 20, maxWaitingPerGroup: 2 });
const fullRetryS = 5;

type Search = PageQuery & { q: string };
type Position = Pick<BulkRowRecord, '_id' | 'row'>;

/**
 * Returns the rows that have each word of `q`, in the order of the file, and the row where a search continues that found
 * enough or has read enough: `rows` may be empty then. The rows are read by their position and compared in this process,
 * because MongoDB logs slow queries, and these would name people. The bulk is known to be the owner's. Throws
 * VALIDATION_ERROR for more than `maxSearchWords`, and RATE_LIMITED when too many searches wait.
 */
export async function searchRows(
  bulk: BulkRecord,
  { q, limit, cursor }: Search,
  cursors: CursorCodec,
): Promise<Page<SentRow> & { nextRow: number | null }> {
  const { organizationId, mode, _id: bulkId } = bulk;
  const scope = { route: 'bulk-search', organizationId, mode, bulkId, q };
  const after = cursor === undefined ? undefined : cursors.open(cursor, scope);
  const words = wordsOf(q);
  if (words.length > maxSearchWords) throw invalid(['q'], `Search for at most ${maxSearchWords} different words.`);
  const find = () => findMatches(bulk, { words, limit }, after);
  const { ids, last } = await withPermit(searching, bulk, find).catch((error: unknown) => {
    if (!(error instanceof SemaphoreFullError)) throw error;
    throw new AppError('RATE_LIMITED', { message: 'Many searches wait. Try again soon.', retryAfterS: fullRetryS });
  });
  const { rows, hasMore } = await readRows({ _id: { $in: ids } }, { limit, hint: { _id: 1 } });
  const end = hasMore ? (rows.at(-1) ?? null) : last;
  return {
    rows: await withJobs(bulk, rows),
    hasMore: end !== null,
    nextCursor: end && cursors.seal(end._id, scope),
    nextRow: end && end.row + 1,
  };
}

/** Returns the ids of the first matches, and the last row that was read unless it was that of the bulk. */
async function findMatches(
  { _id: bulkId, mapping }: BulkRecord,
  { words, limit }: { words: readonly string[]; limit: number },
  after: string | undefined,
): Promise<{ ids: string[]; last: Position | null }> {
  const patterns = words.map(toPattern);
  const columns = [...new Set(searchedFields.flatMap((field) => mapping?.fields[field] ?? []))];
  const ids: string[] = [];
  if (patterns.length === 0 || columns.length === 0) return { ids, last: null };
  const cell = { $substrCP: [{ $arrayElemAt: ['$cells', '$$column'] }, 0, charactersPerCell] };
  const cells = { $map: { input: columns, as: 'column', in: cell } };
  const found = rowsOf<BulkRowRecord>(BulkRow)
    .find(rowsOfBulk(bulkId, after), { hint: { _id: 1 } })
    .project<Position & { cells: string[] }>({ row: 1, cells })
    .sort({ _id: 1 })
    .limit(maxSearched.rows + 1)
    .batchSize(batchRows);
  let last: Position | null = null;
  let [count, characters, ofTurn] = [0, 0, 0];
  for await (const row of found) {
    if (count === maxSearched.rows || characters > maxSearched.characters) return { ids, last };
    const text = row.cells.join('\n');
    const folded = foldForSearch(text);
    if (patterns.every((pattern) => pattern.test(folded))) {
      if (ids.length === limit) return { ids, last };
      ids.push(row._id);
    }
    last = row;
    count += 1;
    characters += text.length;
    ofTurn += text.length;
    if (ofTurn > charactersPerTurn) {
      ofTurn = 0;
      await nextLoop();
    }
  }
  return { ids, last: null };
}

/** Returns the different words of a search, as they are compared. */
export function wordsOf(q: string): string[] {
  const words = foldForSearch(q).split(/[\s,;]+/);
  return [...new Set(words)].filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/**
 * Returns the pattern of a word that people typed. It matches at the beginning of a word or of a number, with or without
 * the punctuation that either has: `obrien`, `O'Brien`; `jean-pierre`, `Jean Pierre`; `1234ab`, `1234 AB`.
 */
function toPattern(word: string): RegExp {
  const letters = [...word.matchAll(/([^\p{L}\p{N}]*)([\p{L}\p{N}])/gu)];
  const parts = letters.map(([, typed = '', letter = ''], index) => {
    const before = letters[index - 1]?.[2];
    if (before === undefined) return (isDigit(letter) ? String.raw`(?<!\p{N})` : String.raw`(?<!\p{L})`) + letter;
    if (typed !== '') return String.raw`[^\p{L}\p{N}\n]*` + letter;
    const isBesideDigit = isDigit(before) || isDigit(letter);
    return (isBesideDigit ? String.raw`[^\p{L}\p{N}\n]?` : String.raw`[^\p{L}\p{N}\s]?`) + letter;
  });
  return new RegExp(parts.join(''), 'u');
}

const isDigit = (letter: string) => /\p{N}/u.test(letter);
