// Level: push
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { Event } from '#common/events/event.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { Notice } from '#common/notices/notice.model.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { topUpWallet } from '#common/wallet/wallets.ts';
import { aSendableBulk, runBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { exampleTariffs } from '#test/support/product/tariffs.ts';
import { startWorld } from '#test/support/product/world.ts';
import { onCommand } from '#test/support/races/on-command.ts';
import { expectInvariants } from '#test/support/wallet/invariants.ts';

const letterCents = 221;

describe('POST /v1/bulk/{id}/confirm', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 100_000 }));
  const mapping = { name: 'Straat', line1: 'Naam', zip: 'Postcode', city: 'Gemeente' };
  const confirm = (id: string, body: object = {}) => customer.http.post(`/v1/bulk/${id}/confirm`, body);

  test('each row becomes one mail job with its own externalId, and the end is reported', async () => {
    const mapping = { fields: { name: [0], line1: [1], zip: [2], city: [3], reference: [0] }, variables: [] };
    const id = await aSendableBulk(customer, 5, { mapping });
    const before = await customer.balanceCents();
    const answers = await Promise.all([confirm(id, { maxTotalCents: 5 * letterCents }), confirm(id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await runBulk(world, id)).toMatchObject({
      state: 'sent',
      progress: { sent: 5, sentCents: 5 * letterCents, refused: 0 },
    });
    expect(before - (await customer.balanceCents())).toBe(5 * letterCents);
    const jobs = await MailJob.find({ externalId: { $regex: `^${id}:` } }).lean<MailJobRecord[]>();
    expect(jobs.map(({ externalId }) => externalId).sort()).toEqual([2, 3, 4, 5, 6].map((row) => `${id}:${row}`));
    // The process that sends them has no key to make one.
    expect(new Set(jobs.map(({ requestHash }) => requestHash))).toEqual(new Set(['']));
    const first = jobs.find(({ externalId }) => externalId === `${id}:2`);
    expect(first?.items[0]).toMatchObject({ name: 'Ada Peeters 1', line1: 'Rue Haute 1', zip: '1000', country: 'BE' });
    expect(first?.metadata).toEqual([{ key: 'reference', value: 'Ada Peeters 1' }]);
    const event = await Event.findOne({ subjectId: id }).orFail().lean();
    expect(JSON.parse(event.body)).toMatchObject({ event: 'BULK_COMPLETED', bulkId: id, sent: 5 });
    await expectInvariants();
  });

  test('rows with faults are sent only without them, when that is asked for', async () => {
    const counts = { rows: 2, valid: 1, faulty: 1, duplicates: 0 };
    const id = await aSendableBulk(customer, 1, { state: 'needs_attention', counts });
    const refused = await confirm(id);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('One of its rows has faults'),
    ]);
    expect((await confirm(id, { skipFaultyRows: true })).status).toBe(200);
    expect((await runBulk(world, id)).progress.sent).toBe(1);
  });

  test('a total above maxTotalCents is refused, and nothing is sent', async () => {
    const id = await aSendableBulk(customer, 2);
    const refused = await confirm(id, { maxTotalCents: 2 * letterCents - 1 });
    expect([refused.status, refused.body.code]).toEqual([409, 'PRICE_CHANGED']);
    expect((await Bulk.findById(id).orFail().lean<BulkRecord>()).state).toBe('ready');
  });

  test('a bulk whose columns were chosen again is not sent as it was seen before, whatever it costs', async () => {
    const id = await aSendableBulk(customer, 2);
    await customer.http.post(`/v1/bulk/${id}/mapping`, { mapping });
    await runBulk(world, id);
    const { body } = await customer.http.get(`/v1/bulk/${id}`);
    expect([body.status, body.revision, body.totalCents]).toEqual(['ready', 1, 2 * letterCents]);
    const refused = await confirm(id, { maxTotalCents: 2 * letterCents, revision: 0 });
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(await MailJob.countDocuments({ externalId: { $regex: `^${id}:` } })).toBe(0);
    expect((await confirm(id, { revision: 1 })).body.status).toBe('sending');
  });

  test('columns that are chosen while the bulk is confirmed are not sent, at the same price either', async () => {
    const id = await aSendableBulk(customer, 2);
    let isMapped = false;
    const mapFirst = async ({ name }: { name: string }, run: () => Promise<unknown>) => {
      if (name !== 'update uploads' || isMapped) return await run();
      // The confirmation has read the bulk, and keeps its files.
      isMapped = true;
      await customer.http.post(`/v1/bulk/${id}/mapping`, { mapping });
      await runBulk(world, id);
      return await run();
    };
    const refused = await onCommand(mapFirst, () => confirm(id, { maxTotalCents: 2 * letterCents }));
    expect([isMapped, refused.status, refused.body.code]).toEqual([true, 409, 'CONFLICT']);
    expect(await Bulk.findById(id).orFail().lean<BulkRecord>()).toMatchObject({ state: 'ready', totalCents: 442 });
  });

  test('a balance that runs out pauses the bulk with a notice; after a top-up nothing is lost or paid twice', async () => {
    const poor = await world.customer({ mode: 'live', balanceCents: 3 * letterCents + 1 });
    const { organizationId, mode } = poor;
    const id = await aSendableBulk(poor, 5);
    await poor.http.post(`/v1/bulk/${id}/confirm`, {});
    expect(await runBulk(world, id)).toMatchObject({ pause: { code: 'INSUFFICIENT_FUNDS' }, progress: { sent: 3 } });
    expect(await Notice.countDocuments({ subjectId: id, kind: 'BULK_PAUSED' })).toBe(1);
    await topUpWallet({ organizationId, mode }, 10_000, 'second', new Date());
    expect((await poor.http.post(`/v1/bulk/${id}/resume`, {})).status).toBe(200);
    expect(await runBulk(world, id)).toMatchObject({
      state: 'sent',
      progress: { sent: 5, sentCents: 5 * letterCents },
    });
    expect(await MailJob.countDocuments({ organizationId })).toBe(5);
    expect(await poor.balanceCents()).toBe(10_001 - 2 * letterCents);
  });

  test('a price that rose since the check pauses the bulk until it is accepted', async () => {
    const id = await aSendableBulk(customer, 2);
    const [cheap] = exampleTariffs.filter(({ zone, serviceType }) => zone === 'NATIONAL' && serviceType === 'standard');
    if (!cheap) throw new Error('There is no tariff');
    const dearer = { ...cheap, handlingCents: cheap.handlingCents + 10, validFrom: new Date().toISOString() };
    await importTariffs([dearer] as never);
    await confirm(id);
    expect(await runBulk(world, id)).toMatchObject({ state: 'paused', pause: { code: 'PRICE_CHANGED' } });
    await customer.http.post(`/v1/bulk/${id}/resume`, { acceptNewPrice: true });
    expect((await runBulk(world, id)).progress.sentCents).toBeGreaterThan(2 * letterCents);
  });
});
