import type { BatchMark, BatchRecord } from '#common/production/batches/batch.model.ts';
import { readBatch } from '#common/production/batches/read-batch.ts';
import { countBatchItems } from '#common/production/batches/read-batch-jobs.ts';
import { markBatch, printAgain } from '#common/production/operator/mark-batch.ts';
import { listBatches } from '#common/production/operator/read-batches.ts';
import { argument, defineCommand, describeFields } from '../command.ts';
import { idOf } from '../option.schema.ts';
import { withHints } from '../with-hints.ts';

const batchFields = { batchId: argument('the batch', idOf('bat')) };

function toShown(batch: BatchRecord) {
  const { _id: batchId, state: status, cutoffAt, closesAt, provider, problem, letterCount } = batch;
  const { itemCount, sheetCount } = batch;
  const { zone, serviceType, format, window, color, doubleSided = true, acknowledgmentReceipt } = batch;
  const kind = { provider, zone, serviceType, format, window, color, doubleSided, acknowledgmentReceipt };
  return {
    ...{ batchId, status, cutoffAt, closesAt, ...kind, letterCount, itemCount, sheetCount, problem },
    marking: batch.marking ?? null,
  };
}
type ShownBatch = ReturnType<typeof toShown>;

function describeKind({ serviceType, zone, format, color, doubleSided, acknowledgmentReceipt }: ShownBatch): string {
  const receipt = acknowledgmentReceipt ? ', with receipt form' : '';
  return `${serviceType} ${zone} ${format} ${color ? 'colour' : 'black and white'}${doubleSided ? '' : ', one side'}${receipt}`;
}

const list = defineCommand({
  name: 'batch list',
  summary: 'list the batches that are not posted yet and those posted today; those that need an operator come first',
  fields: {},

  async run(_input, { clock }) {
    return Object.values(await listBatches(clock.now()))
      .flat()
      .map(toShown);
  },
  describe(batches) {
    if (batches.length === 0) return 'There is no batch.';
    return batches
      .map((batch) => {
        const { batchId, status, cutoffAt, itemCount, problem } = batch;
        const line = `${batchId}  ${status.padEnd(14)}  ${cutoffAt.toISOString()}  ${itemCount} items  ${describeKind(batch)}`;
        return problem === null ? line : `${line}\n  ${problem}`;
      })
      .join('\n');
  },
});

const show = defineCommand({
  name: 'batch show',
  summary: 'show a batch and how many of its items have each status',
  fields: batchFields,

  async run({ batchId }) {
    const batch = await readBatch(batchId);
    return { ...toShown(batch), items: await countBatchItems(batchId) };
  },
  describe({ items, ...batch }) {
    const counts = Object.entries(items).filter(([, count]) => count > 0);
    return describeFields({
      Batch: batch.batchId,
      Status: batch.status,
      ...(batch.problem !== null && { Problem: batch.problem }),
      ...(batch.marking !== null && { Marking: `its items are being marked as ${batch.marking}` }),
      Kind: describeKind(batch),
      Provider: batch.provider,
      Closes: batch.closesAt.toISOString(),
      Cutoff: batch.cutoffAt.toISOString(),
      Letters: batch.letterCount,
      Sheets: batch.sheetCount,
      Items: `${batch.itemCount}: ${counts.map(([status, count]) => `${count} ${status}`).join(', ')}`,
    });
  },
});

function markCommand(mark: BatchMark, summary: string) {
  return defineCommand({
    name: `batch mark-${mark}`,
    summary,
    fields: batchFields,

    async run({ batchId }, services) {
      const at = services.clock.now();
      await withHints(services, (hints) => markBatch(batchId, mark, services.actor, { hints, at }));
      return { batchId, mark };
    },
    describe: ({ batchId }) => `Recorded. The workers mark the items of ${batchId} as ${mark}.`,
  });
}

const again = defineCommand({
  name: 'batch print-again',
  summary: 'hand a batch in doubt over again; only when you know that nothing of it was printed',
  fields: batchFields,

  async run({ batchId }, services) {
    const at = services.clock.now();
    await withHints(services, (hints) => printAgain(batchId, services.actor, { hints, at }));
    return { batchId };
  },
  describe: ({ batchId }) => `${batchId} is handed over again.`,
});

export const batchCommands = [
  list,
  show,
  markCommand('printed', 'record that all items of a batch that have not failed are printed'),
  markCommand('posted', 'record that a batch was handed in at the post office'),
  again,
];
