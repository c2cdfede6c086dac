// Level: push
import { runBulkCheck } from '#common/bulk/check/run-bulk-check.ts';
import { Bulk, type BulkRecord, bulkCheckWork } from '#common/bulk/model/bulk.model.ts';
import { BulkRow } from '#common/bulk/model/bulk-row.model.ts';
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { aList, createBulk, runBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('a worker that lost the lease of a bulk while it stood still', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());
  const never = new AbortController().signal;

  test('removes no row that another worker has checked', async () => {
    const { bulkId } = (await createBulk(customer, aList(3))).body;
    // Its document is checked already.
    await Bulk.updateOne({ _id: bulkId }, { pages: 1 });
    const claim = await claimDue<BulkRecord>(bulkCheckWork, bulkId, new Date(), 1);
    if (!claim) throw new Error('The bulk is not due');
    await eventually(async () => expect((await runBulk(world, bulkId)).state).toBe('ready'));
    const deps = { ...world.workersOptions, slots: createRenderSlots() };
    await runBulkCheck(claim, deps, never);
    await runBulkCheck({ ...claim, unfinished: 5 }, deps, never);
    expect((await Bulk.findById(bulkId).orFail().lean<BulkRecord>()).state).toBe('ready');
    expect(await BulkRow.countDocuments({ bulkId, state: 'valid' })).toBe(3);
  });
});
