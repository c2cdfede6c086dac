import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { Batch, type BatchRecord, type BatchState } from '#common/production/batches/batch.model.ts';
import { piecesOf } from '#scripts/program/pieces-of.ts';
import { listHandedOver, type ManifestItem, readManifestItems, readReportedItems } from './hot-folder-records.ts';

/** What the print system got after the backup. */
export type PressSince = {
  /**
   * Batches that it got, and that the database does not know or has not handed over yet. `itemCount`: null when their
   * manifest is gone or damaged.
   */
  batches: { batchId: string; isKnown: boolean; itemCount: number | null }[];
  /** Letters that wait for another batch, and were in such a batch: they would be printed twice. */
  printedLetters: { mailJobId: string; organizationId: string; batchId: string }[];
  /** Items of such batches without a letter in the database. */
  unknownItems: { itemId: string; batchId: string }[];
  /** Numbers on their labels that the database does not know: its ranges would give them again. */
  unknownNumbers: { number: string; batchId: string }[];
};

type WaitingLetter = Pick<MailJobRecord, '_id' | 'organizationId' | 'batchId' | 'items'>;

const beforePress: readonly BatchState[] = ['open', 'closed', 'submitting'];
/** Ids of one query. */
const pageSize = 1_000;

/** Compares the database with the records of the hot folder. They stay there although the print system takes the files. */
export async function findPrintedSince(hotFolder: string): Promise<PressSince> {
  const batches: PressSince['batches'] = [];
  const batchOf = new Map<string, string>();
  const numbers: PressSince['unknownNumbers'] = [];
  let reported: Map<string, ManifestItem[]> | null = null;
  for (const { batchId, isKnown } of await findUnpressed(await listHandedOver(hotFolder))) {
    let items = await readManifestItems(hotFolder, batchId);
    if (items === null) {
      // There may be years of results: they are read only when a manifest is missing.
      reported ??= await readReportedItems(hotFolder);
      items = reported.get(batchId) ?? null;
    }
    batches.push({ batchId, isKnown, itemCount: items?.length ?? null });
    for (const { itemId, trackingNumber } of items ?? []) {
      batchOf.set(itemId, batchId);
      if (trackingNumber !== undefined) numbers.push({ number: trackingNumber, batchId });
    }
  }
  const unknownNumbers = await findUnknownNumbers(numbers);
  const printedLetters = batchOf.size === 0 ? [] : await findQueuedLetters(batchOf);
  const unknownItems = [...batchOf].map(([itemId, batchId]) => ({ itemId, batchId }));
  return { batches, printedLetters, unknownItems, unknownNumbers };
}

/** Returns those of the batches that the database does not know, or has not handed over. */
async function findUnpressed(batchIds: readonly string[]): Promise<{ batchId: string; isKnown: boolean }[]> {
  const found: { batchId: string; isKnown: boolean }[] = [];
  for (const page of piecesOf(batchIds, pageSize)) {
    const rows = await Batch.find({ _id: { $in: page } }, { state: 1 }).lean<Pick<BatchRecord, '_id' | 'state'>[]>();
    const stateOf = new Map(rows.map(({ _id, state }) => [_id, state]));
    for (const batchId of page) {
      const state = stateOf.get(batchId);
      if (state === undefined || beforePress.includes(state)) found.push({ batchId, isKnown: state !== undefined });
    }
  }
  return found;
}

/** Returns the letters with an item in `batchOf` that are not in that batch here, and removes the items of all letters. */
async function findQueuedLetters(batchOf: Map<string, string>): Promise<PressSince['printedLetters']> {
  const letters: PressSince['printedLetters'] = [];
  const waiting = { mode: 'live', status: 'queued' } as const;
  const projection = { organizationId: 1, batchId: 1, 'items.itemId': 1 } as const;
  const jobs = MailJob.find(waiting, projection).lean<WaitingLetter[]>();
  for await (const { _id: mailJobId, organizationId, batchId: ownBatch, items } of jobs.cursor()) {
    const [batchId] = items.flatMap(({ itemId }) => batchOf.get(itemId) ?? []);
    if (batchId === undefined) continue;
    // The hot folder does not take the same batch twice.
    if (batchId !== ownBatch) letters.push({ mailJobId, organizationId, batchId });
    for (const { itemId } of items) batchOf.delete(itemId);
  }
  return letters;
}

async function findUnknownNumbers(numbers: PressSince['unknownNumbers']): Promise<PressSince['unknownNumbers']> {
  const unknown: PressSince['unknownNumbers'] = [];
  for (const page of piecesOf(numbers, pageSize)) {
    const filter = { trackingNumbers: { $in: page.map(({ number }) => number) } };
    const jobs = await MailJob.find(filter, { trackingNumbers: 1 }).lean<Pick<MailJobRecord, 'trackingNumbers'>[]>();
    const known = new Set(jobs.flatMap(({ trackingNumbers = [] }) => trackingNumbers));
    unknown.push(...page.filter(({ number }) => !known.has(number)));
  }
  return unknown.sort((left, right) => (left.number < right.number ? -1 : 1));
}
