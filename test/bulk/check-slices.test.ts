// Level: ci
import { runBulkCheck } from '#common/bulk/check/run-bulk-check.ts';
import { Bulk, type BulkRecord, bulkCheckWork } from '#common/bulk/model/bulk.model.ts';
import { BulkRow, type BulkRowRecord } from '#common/bulk/model/bulk-row.model.ts';
import { plusMs } from '#common/clock.ts';
import { createRenderSlots, defaultSlotSettings } from '#common/documents/isolation/render-slots.ts';
import { claimDue, newDue } from '#common/platform/due-work/due-work.ts';
import { readDueAfter } from '#common/platform/due-work/read-due.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { aList, createBulk, insertBulk } from '#test/support/bulk/a-bulk.ts';
import { zipOf } from '#test/support/bulk/zip-of.ts';
import { byLevel, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, type Customer } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { onCommand } from '#test/support/races/on-command.ts';
import { createRandom } from '#test/support/random.ts';

/** Three chunks. Rows of the last one repeat a letter and a reference of the first. */
const list = aList(1_010, (row) => ({
  ...(row === 1_005 && { name: 'Ada Peeters 7', id: 'm-7' }),
  ...(row === 1_006 && { zip: '12345' }),
}));
const killed = byLevel({ quick: 3, full: 12 });

describe('the check of a bulk', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());
  const never = new AbortController().signal;
  const usual = createRenderSlots();
  const read = async (id: string) => await Bulk.findById(id).orFail().lean<BulkRecord>();

  /** Creates a bulk whose document is checked already. */
  async function aBulk(owner: Customer, bytes: Uint8Array, options = {}): Promise<string> {
    const { bulkId } = (await createBulk(owner, bytes, options)).body;
    await Bulk.updateOne({ _id: bulkId }, { pages: 1 });
    return bulkId;
  }
  /** Stores a bulk that waits for its check while others are checked. */
  const waiting = () => insertBulk(customer, { state: 'validating', due: { check: newDue(new Date(0)) } });

  /** Does what a worker does with one hint. Its time is over at once, and so is its lease. */
  async function runOnce(bulkId: string, slots = usual): Promise<BulkRecord> {
    const claim = await claimDue<BulkRecord>(bulkCheckWork, bulkId, plusMs(new Date(), 1_000), 1);
    if (!claim) throw new Error('The bulk is not due');
    await runBulkCheck(claim, { ...world.workersOptions, slots, sliceMs: 0 }, never);
    return await read(bulkId);
  }
  async function runToEnd(bulkId: string): Promise<number> {
    for (let claims = 1; ; claims += 1) if ((await runOnce(bulkId)).state !== 'validating') return claims;
  }
  async function resultOf(bulkId: string) {
    const { state, counts, rowBytes, prices, totalCents, checking, overview } = await read(bulkId);
    const rows = await BulkRow.find({ bulkId }).sort({ _id: 1 }).lean<BulkRowRecord[]>();
    return {
      state,
      counts,
      rowBytes,
      prices,
      totalCents,
      checking,
      overview,
      rows: rows.map(({ _id, bulkId: _, ...row }) => row),
    };
  }
  const whole = openOnce(async () => {
    const id = await aBulk(customer, list);
    expect(await runToEnd(id)).toBe(1);
    return await resultOf(id);
  });

  test('long lists of others delay a short one by a slice each', async () => {
    const owners = [await world.customer(), await world.customer(), await world.customer()];
    const [first, second, short] = [
      await aBulk(owners[0] as Customer, list),
      await aBulk(owners[1] as Customer, list),
      await aBulk(owners[2] as Customer, aList(2)),
    ];
    const order: string[] = [];
    for (;;) {
      const [next] = await readDueAfter(bulkCheckWork, { after: null, until: plusMs(new Date(), 1_000), limit: 1 });
      if (!next) break;
      order.push(next.id);
      await runOnce(next.id);
    }
    expect(order).toEqual([first, second, short, first, second, first, second]);
    expect((await read(short)).state).toBe('ready');
    expect({ ...whole }).toMatchObject({ state: 'needs_attention', counts: { rows: 1_010, valid: 1_008, faulty: 2 } });
    for (const id of [first, second]) expect(await resultOf(id)).toEqual({ ...whole });
  });

  test('a kill anywhere leaves the result of a check that nothing disturbed', async () => {
    const other = await waiting();
    const { seed, random } = createRandom();
    for (let round = 0; round < killed; round += 1) {
      const id = await aBulk(customer, list);
      const [dyingAt, hasRun] = [1 + Math.floor(random() * 20), random() < 0.5];
      let commands = 0;
      const dead = () => Promise.reject(new Error('killed'));
      const dying = onCommand(
        async (_, run) => {
          commands += 1;
          if (commands === dyingAt && hasRun) await run();
          return commands < dyingAt ? await run() : await dead();
        },
        () => runToEnd(id),
      );
      await dying.catch((error: Error) => expect([dyingAt, error.message]).toEqual([dyingAt, 'killed']));
      if ((await read(id)).state === 'validating') await runToEnd(id);
      expect([seed, dyingAt, hasRun, await resultOf(id)]).toEqual([seed, dyingAt, hasRun, { ...whole }]);
    }
    await Bulk.deleteOne({ _id: other });
  });

  test('the bytes of its rows are known, whatever the list waits for', async () => {
    const other = await waiting();
    const unnamed = Buffer.from(`a;b\n${'é'.repeat(2_000)};1\n`.repeat(600));
    for (const [bytes, state] of [
      [list, 'needs_attention'],
      [unnamed, 'needs_mapping'],
    ] as const) {
      const id = await aBulk(customer, bytes);
      await runToEnd(id);
      const size = { _id: null, rows: { $sum: 1 }, bytes: { $sum: { $bsonSize: '$$ROOT' } } };
      const [stored] = await BulkRow.aggregate([{ $match: { bulkId: id } }, { $group: size }]);
      const found = await read(id);
      expect(found.state).toBe(state);
      const taken = stored.bytes + 60 * stored.rows;
      expect((found.rowBytes ?? 0) / taken).toBeCloseTo(1, 1);
    }
    await Bulk.deleteOne({ _id: other });
  });

  test('documents of a ZIP are opened in slices, each once', async () => {
    const other = await waiting();
    const owner = await world.customer();
    const files = { 'a.pdf': await aPdf(1), 'b.pdf': await aPdf(2), 'c.pdf': await aPdf(3) };
    const rows = Object.keys(files).map((name) => `Ada;Rue Haute 1;1000;Bruxelles;${name}`);
    const index = Buffer.from(['Naam;Straat;Postcode;Gemeente;Bestand', ...rows].join('\n'));
    const zip = { mimeType: 'application/zip', hasDocument: false };
    const { bulkId } = (await createBulk(owner, zipOf({ ...files, 'i.csv': index }), zip)).body;
    expect(await runToEnd(bulkId)).toBe(3);
    expect(await read(bulkId)).toMatchObject({ state: 'ready', counts: { valid: 3 }, checking: null });
    expect(await Upload.countDocuments({ organizationId: owner.organizationId, mimeType: 'application/pdf' })).toBe(3);
    await Bulk.deleteOne({ _id: other });
  });

  test('a file that takes long waits for the slow slot, and gives its place to others meanwhile', async () => {
    const slots = createRenderSlots({ ...defaultSlotSettings, fastWallMs: -1 });
    const id = await aBulk(customer, aList(2));
    const held = await slots.acquire(never, { pool: 'slow' });
    for (const _ of ['refused at once', 'not free in time']) {
      expect(await runOnce(id, slots)).toMatchObject({ state: 'validating', checking: { needsSlowSlot: true } });
    }
    held.release();
    // The timer of the slice would be over before the slot is asked for.
    const claim = await claimDue<BulkRecord>(bulkCheckWork, id, plusMs(new Date(), 1_000), 1);
    if (!claim) throw new Error('The bulk is not due');
    await runBulkCheck(claim, { ...world.workersOptions, slots }, never);
    expect((await read(id)).state).toBe('ready');
  });
});
