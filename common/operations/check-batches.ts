import { type HistoryRecord, ItemHistory } from '../mail-jobs/items/item-history.model.ts';
import { batchIndex, MailJob, type MailJobRecord } from '../mail-jobs/model/mail-job.model.ts';
import { inSnapshot, type Snapshot } from '../platform/mongo/snapshot.ts';
import { Batch, type BatchRecord, type BatchState } from '../production/batches/batch.model.ts';
import { countCopySheets } from '../production/batches/batch-key.ts';
import type { Violation } from '../wallet/ledger/check-ledgers.ts';

/** The fields of a mail job that say how it goes to press. */
type BatchedJob = Pick<MailJobRecord, '_id' | 'organizationId' | 'batchId' | 'printFile'> & {
  items: { status: string }[];
};
type Totals = Record<'letterCount' | 'itemCount' | 'sheetCount' | 'queued' | 'printed', number>;

/** Batches per snapshot. With 20,000 items each they are read within a minute. */
const batchesAtOnce = 20;
const jobsAtOnce = 500;
/** In these states a batch without due work would never go on. */
const dueStates: readonly BatchState[] = ['open', 'closed', 'submitting'];

/**
 * Checks all batches: their counts are those of their jobs, as the history says which items were batched; no item is left
 * behind by a batch that is printed or posted; and one that is not handed over yet is due. Memory use is bounded. Batches
 * may be filled and printed during the run.
 */
export async function checkBatches(report: (violation: Violation) => void, signal?: AbortSignal): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal?.throwIfAborted();
    const page: { batch: BatchRecord; totals: Totals }[] = await readBatches(after);
    for (const { batch, totals } of page) for (const violation of checkBatch(batch, totals)) report(violation);
    after = page.at(-1)?.batch._id;
  }
}

function checkBatch(batch: BatchRecord, totals: Totals): Violation[] {
  const { _id: id, state } = batch;
  const rules: [rule: string, expected: number, found: number][] = [
    ['letterCount is the number of its mail jobs', totals.letterCount, batch.letterCount],
    ['itemCount is the number of items that were batched', totals.itemCount, batch.itemCount],
    ['sheetCount is the number of their sheets', totals.sheetCount, batch.sheetCount],
  ];
  if (state === 'printed' || state === 'posted')
    rules.push([`no item of a ${state} batch is queued`, 0, totals.queued]);
  if (state === 'posted') rules.push(['no item of a posted batch is only printed', 0, totals.printed]);
  if (batch.marking) rules.push(['a batch that is being marked is due', 1, batch.due.press ? 1 : 0]);
  if (dueStates.includes(state)) rules.push([`a batch that is ${state} is due`, 1, batch.due.press ? 1 : 0]);
  return rules.flatMap(([rule, expected, found]) => {
    return expected === found ? [] : [{ subject: 'batch' as const, id, rule, expected, found }];
  });
}

async function readBatches(after: string): Promise<{ batch: BatchRecord; totals: Totals }[]> {
  return await inSnapshot(async (snapshot) => {
    const batches = await Batch.find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(batchesAtOnce)
      .session(snapshot)
      .lean<BatchRecord[]>();
    const found = await addUp(
      batches.map(({ _id }) => _id),
      snapshot,
    );
    return batches.map((batch) => ({ batch, totals: found.get(batch._id) ?? noTotals() }));
  });
}

const noTotals = (): Totals => ({ letterCount: 0, itemCount: 0, sheetCount: 0, queued: 0, printed: 0 });

async function addUp(batchIds: readonly string[], snapshot: Snapshot): Promise<Map<string, Totals>> {
  const totals = new Map(batchIds.map((id) => [id, noTotals()]));
  const jobs = MailJob.find({ batchId: { $in: [...batchIds] } })
    .sort(batchIndex)
    .hint(batchIndex)
    .select({ organizationId: 1, batchId: 1, printFile: 1, 'items.status': 1 })
    .session(snapshot)
    .lean<BatchedJob>()
    .cursor({ batchSize: jobsAtOnce });
  let page: BatchedJob[] = [];
  async function addPage(): Promise<void> {
    const batched = await countBatchedItems(page, snapshot);
    for (const job of page) add(totals.get(job.batchId ?? '') ?? noTotals(), job, batched.get(job._id) ?? 0);
    page = [];
  }
  for await (const job of jobs) {
    page.push(job as BatchedJob);
    if (page.length >= jobsAtOnce) await addPage();
  }
  await addPage();
  return totals;
}

function add(total: Totals, { printFile, items }: BatchedJob, batchedItems: number): void {
  total.letterCount += 1;
  total.itemCount += batchedItems;
  total.sheetCount += printFile ? countCopySheets(printFile) * batchedItems : 0;
  for (const { status } of items) if (status === 'queued' || status === 'printed') total[status] += 1;
}

/** Returns how many items of each job its history puts into the batch of the job. */
async function countBatchedItems(jobs: readonly BatchedJob[], snapshot: Snapshot): Promise<Map<string, number>> {
  const batchOf = new Map(jobs.map(({ _id, batchId }) => [_id, batchId]));
  const organizationIds = [...new Set(jobs.map(({ organizationId }) => organizationId))];
  const steps = await ItemHistory.find({
    organizationId: { $in: organizationIds },
    mailJobId: { $in: [...batchOf.keys()] },
    kind: 'batched',
  })
    .select({ mailJobId: 1, detail: 1 })
    .session(snapshot)
    .lean<Pick<HistoryRecord, 'mailJobId' | 'detail'>[]>();
  const counts = new Map<string, number>();
  for (const { mailJobId, detail } of steps) {
    if (detail.batchId === batchOf.get(mailJobId)) counts.set(mailJobId, (counts.get(mailJobId) ?? 0) + 1);
  }
  return counts;
}
