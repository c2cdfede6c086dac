// Level: push
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { BulkRow } from '#common/bulk/model/bulk-row.model.ts';
import { removeOldBulks } from '#common/bulk/remove-old-bulks.ts';
import { plusMs } from '#common/clock.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { Upload, type UploadRecord } from '#common/uploads/upload.model.ts';
import { aList, createBulk, insertBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { onCommand } from '#test/support/races/on-command.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('the removal of rows of old bulks', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());
  const read = async (id: string) => await Bulk.findById(id).orFail().lean<BulkRecord>();
  const rowsOf = async (bulkId: string) => await BulkRow.countDocuments({ bulkId });

  test('after their time the rows are gone and the numbers stay; a bulk that is being sent keeps them', async () => {
    const now = new Date();
    const over = { removeAt: plusMs(now, -1) };
    const sent = await insertBulk(customer, { ...over, state: 'sent' }, [{}, {}]);
    const unconfirmed = await insertBulk(customer, over, [{}]);
    const sending = await insertBulk(customer, { ...over, state: 'sending', due: { send: newDue(now) } }, [{}]);
    const recent = await insertBulk(customer, { state: 'sent' }, [{}]);
    expect(await removeOldBulks(now)).toBe(3);
    expect(await Promise.all([sent, unconfirmed, sending, recent].map(rowsOf))).toEqual([0, 0, 1, 1]);
    expect(await read(sent)).toMatchObject({ state: 'sent', counts: { rows: 2 } });
    expect((await read(unconfirmed)).state).toBe('cancelled');
    expect((await customer.http.get(`/v1/bulk/${sent}`)).body.rowsRemoved).toBe(true);
    expect(await removeOldBulks(now)).toBe(0);
  });

  test('a run that fails in the middle is repeated by the next one', async () => {
    const now = new Date();
    const over = { removeAt: plusMs(now, -1) };
    const ids = [await insertBulk(customer, { ...over, state: 'sent' }, [{}]), await insertBulk(customer, over, [{}])];
    const dying = onCommand(
      async ({ name }, run) => (name === 'delete bulk_rows' ? Promise.reject(new Error('killed')) : run()),
      () => removeOldBulks(now),
    );
    await expect(dying).rejects.toThrow('killed');
    expect(await removeOldBulks(now)).toBe(2);
    expect(await Promise.all(ids.map(rowsOf))).toEqual([0, 0]);
    expect(await removeOldBulks(now)).toBe(0);
  });

  test('the files are kept as long as the bulk needs them, and expire like others after it', async () => {
    const { body } = await createBulk(customer, aList(1));
    const { file, files } = await read(body.bulkId);
    const usableOf = async () => {
      const uploads = await Upload.find({ _id: { $in: [file.s3Key, files[0]?.s3Key ?? ''] } }).lean<UploadRecord[]>();
      return uploads.map(({ usableUntil, createdAt }) =>
        Math.round((usableUntil.getTime() - createdAt.getTime()) / dayMs),
      );
    };
    expect(await usableOf()).toEqual([37, 37]);
    await customer.http.post(`/v1/bulk/${body.bulkId}/cancel`);
    expect(await usableOf()).toEqual([1, 1]);
  });
});
