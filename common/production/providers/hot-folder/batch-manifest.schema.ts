import { z } from 'zod';
import { formats, schemeNames } from '#common/documents/sheet/envelope-schemes.ts';
import type { PressBatch, PressItem } from '#common/production/press-batch.ts';
import { serviceTypes, zones } from '#common/services.ts';
import { batchIdPattern, itemFileOf } from './hot-folder-paths.ts';

/** The files of a batch beside its items. */
export const paperFiles = {
  manifest: 'manifest.json',
  jobTicket: 'job-ticket.pdf',
  depositSlip: 'deposit-slip.pdf',
} as const;

/** The most items of a batch. Also the bound of a result file. */
export const maxItems = 20_000;

export const BatchId = z.string().regex(batchIdPattern).describe('The id of the batch.');
export const ItemId = z
  .string()
  .regex(/^mi_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  .describe('The id of the item. The data matrix on each of its sheets shows it in capitals.');
const count = z.int().min(1);

const ManifestFile = z.object({
  sequence: count.describe('Counts from 1 in the order of printing.'),
  itemId: ItemId,
  file: z.string().describe('The path of the PDF, from the folder of the batch.'),
  pageCount: count,
  sheetCount: count.describe('Sheets of paper. They go into one envelope.'),
  sizeBytes: count,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Of the file, in hexadecimal.'),
  trackingNumber: z
    .string()
    .regex(/^[A-Z0-9]{5,40}$/)
    .optional()
    .describe('The number on the label of a registered item, when it had one before it was printed.'),
});

/** `manifest.json` of a batch. Fields may be added to it without a new version. */
export const BatchManifest = z
  .object({
    schemaVersion: z.literal(1),
    batchId: BatchId,
    cutoffAt: z.iso.datetime().describe('The items must be at the post office by then.'),
    closesAt: z.iso.datetime().describe('No items are added after this moment.'),
    zone: z.enum(zones),
    serviceType: z.enum(serviceTypes),
    format: z.enum(formats).describe('The envelope. DL takes the sheets folded twice, C5 folded once.'),
    window: z.enum(schemeNames).describe('Where the envelope has its window.'),
    color: z.boolean().describe('Whether to print in colour.'),
    acknowledgmentReceipt: z.boolean().describe('Whether each item needs a receipt form.'),
    paper: z.object({
      size: z.literal('A4'),
      gramsPerSquareMetre: z.literal(80),
      sides: z.enum(['two-sided-long-edge', 'one-sided']).describe('As the IPP attribute `sides` names it.'),
    }),
    itemCount: count,
    sheetCount: count,
    files: z.array(ManifestFile).min(1).max(maxItems),
    jobTicket: z.string().describe('The paper for the person at the printer.'),
    depositSlip: z.string().describe('The paper for the counter of the post office.'),
    results: z
      .object({
        folder: z.string().describe('Where result files are written, from the folder of the batch.'),
        help: z.string(),
        allPrinted: z
          .object({ schemaVersion: z.literal(1), batchId: BatchId, result: z.literal('printed') })
          .describe('The content of a result file for the whole batch.'),
      })
      .describe('How to report what was printed.'),
  })
  .meta({ title: 'Manifest of a batch', description: 'Ignore fields that you do not know: there may be more later.' });

export type BatchManifest = z.infer<typeof BatchManifest>;

const help =
  'Write a JSON file to this folder under a name that ends in .tmp, then rename it so that it ends in .json. ' +
  'Its content is allPrinted, or the items one by one: see print-results.schema.json.';

/** Returns the manifest of a batch. Throws a ZodError when the batch or an item is out of bounds. */
export function createManifest(batch: PressBatch, items: readonly PressItem[]): BatchManifest {
  const { batchId, cutoffAt, closesAt, doubleSided, itemCount, sheetCount, ...print } = batch;
  return BatchManifest.parse({
    schemaVersion: 1,
    batchId,
    cutoffAt: cutoffAt.toISOString(),
    closesAt: closesAt.toISOString(),
    ...print,
    paper: { size: 'A4', gramsPerSquareMetre: 80, sides: doubleSided ? 'two-sided-long-edge' : 'one-sided' },
    itemCount,
    sheetCount,
    jobTicket: paperFiles.jobTicket,
    depositSlip: paperFiles.depositSlip,
    results: { folder: '../../results', help, allPrinted: { schemaVersion: 1, batchId, result: 'printed' } },
    files: items.map(({ mailJobId: _, sender: __, ...item }) => ({ ...item, file: itemFileOf(item) })),
  });
}
