import { z } from 'zod';
import { lineOfText } from '#common/fields/text.schema.ts';
import { BatchId, ItemId, maxItems } from './batch-manifest.schema.ts';

/** The only version so far. */
const version = z.literal(1).default(1);

const ItemResult = z.discriminatedUnion('result', [
  z.strictObject({ itemId: ItemId, result: z.literal('printed') }),
  z.strictObject({
    itemId: ItemId,
    result: z.literal('failed'),
    reason: lineOfText(200).describe('Why it was not printed, in one line. The sender of the letter sees it.'),
  }),
]);

const ResultsOfItems = z
  .strictObject({ schemaVersion: version, batchId: BatchId, items: z.array(ItemResult).min(1).max(maxItems) })
  .describe('Results of some or all items. An item is listed once. Others may follow in a later file.');

const ResultOfBatch = z
  .strictObject({ schemaVersion: version, batchId: BatchId, result: z.literal('printed') })
  .describe('All items of the batch were printed.');

/** A result file, which the print system writes. */
export const PrintResults = z.union([ResultsOfItems, ResultOfBatch]).meta({
  title: 'Results of printing',
  description:
    'A file in the folder results of the hot folder, at most 8 MiB, in UTF-8. Write it under a name that ends in .tmp, ' +
    'then rename it so that it ends in .json.',
});

export type PrintResults = z.infer<typeof PrintResults>;

const maxIssues = 3;

/** Parses a result file. Returns the results, or what is wrong with the file. */
export function parsePrintResults(value: unknown): { results: PrintResults } | { problem: string } {
  const schema = typeof value === 'object' && value !== null && 'items' in value ? ResultsOfItems : ResultOfBatch;
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const lines = parsed.error.issues.slice(0, maxIssues).map(({ path, message }) => {
      return path.length === 0 ? message : `${path.join('.')}: ${message}`;
    });
    return { problem: lines.join('\n') };
  }
  const results = parsed.data;
  const twice = 'items' in results ? findTwice(results.items.map(({ itemId }) => itemId)) : undefined;
  return twice === undefined ? { results } : { problem: `${twice} is listed twice.` };
}

function findTwice(ids: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return undefined;
}
