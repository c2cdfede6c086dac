// Level: push
import { BulkRow } from '#common/bulk/model/bulk-row.model.ts';
import { removeOldBulks } from '#common/bulk/remove-old-bulks.ts';
import { plusMs } from '#common/clock.ts';
import { bulkRowId } from '#common/ids.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { aSendableBulk, insertBulk, runBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { onCommand } from '#test/support/races/on-command.ts';

describe('POST /v1/bulk/{id}/cancel', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 10_000 }));
  const cancel = (id: string) => customer.http.post(`/v1/bulk/${id}/cancel`);

  test('letters that are not in a batch are cancelled and refunded; the others stay', async () => {
    const before = await customer.balanceCents();
    const id = await aSendableBulk(customer, 3);
    await customer.http.post(`/v1/bulk/${id}/confirm`, {});
    expect((await runBulk(world, id)).state).toBe('sent');
    // Its batch has closed.
    await MailJob.updateOne({ externalId: `${id}:3` }, { $set: { closesAt: new Date(0) } });
    expect((await cancel(id)).body.status).toBe('cancelled');
    expect((await runBulk(world, id)).progress).toMatchObject({ sent: 3, cancelled: 2, notCancelled: 1 });
    expect(before - (await customer.balanceCents())).toBe(221);
    expect((await cancel(id)).status).toBe(200);
  });

  test('a bulk that is not confirmed is cancelled at once, with its rows, and cannot be confirmed', async () => {
    const id = await insertBulk(customer, {}, [{}, {}]);
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled', confirmedAt: null, rowsRemoved: true });
    expect(await BulkRow.countDocuments({ bulkId: id })).toBe(0);
    expect((await customer.http.get(`/v1/bulk/${id}/results`)).body.message).toContain('cancelled');
    // A worker that checks it at that moment may store a row behind it.
    await BulkRow.create([{ _id: bulkRowId(id, 9), bulkId: id, row: 9, state: 'valid', priceCents: 1, pages: 1 }]);
    await removeOldBulks(plusMs(new Date(), 61 * 60 * 1000));
    expect(await BulkRow.countDocuments({ bulkId: id })).toBe(0);
    expect((await customer.http.post(`/v1/bulk/${id}/confirm`, {})).status).toBe(409);
    expect((await cancel(await insertBulk(customer, { state: 'failed' }))).status).toBe(409);
  });

  test.each(['cancel', 'pause', 'resume'])('%s takes no body or an empty object, and refuses fields', async (step) => {
    const path = `/v1/bulk/${await aSendableBulk(customer, 1, { state: step === 'resume' ? 'paused' : 'sending' })}/${step}`;
    for (const [body, status] of [
      [{ x: 1 }, 400],
      [{}, 200],
      [undefined, 200],
    ] as const)
      expect((await customer.http.post(path, body)).status).toBe(status);
  });

  test('a keyed repeat of what was done before answers with the cancelled bulk', async () => {
    const id = await aSendableBulk(customer, 1);
    const steps = ['confirm', 'pause', 'resume', 'cancel'];
    const ask = (step: string) =>
      customer.http.post(`/v1/bulk/${id}/${step}`, undefined, { 'idempotency-key': `${id}${step}` });
    for (const step of steps) expect([step, (await ask(step)).status]).toEqual([step, 200]);
    for (const step of steps) expect(await ask(step)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  });

  test('a bulk that is confirmed while it is cancelled loses the letters that were sent meanwhile', async () => {
    const poor = await world.customer({ mode: 'live', balanceCents: 500 });
    const id = await aSendableBulk(poor, 3);
    let isFirst = true;
    const answer = await onCommand(
      async ({ name }, run) => {
        const found = await run();
        if (name !== 'find bulks' || !isFirst) return found;
        // Its request has read the bulk. Now another confirms it, and the balance runs out.
        isFirst = false;
        await poor.http.post(`/v1/bulk/${id}/confirm`, {});
        expect(await runBulk(world, id)).toMatchObject({ state: 'paused', progress: { sent: 2 } });
        return found;
      },
      () => poor.http.post(`/v1/bulk/${id}/cancel`),
    );
    expect(answer.body.status).toBe('cancelled');
    expect((await runBulk(world, id)).progress).toMatchObject({ sent: 2, cancelled: 2 });
    expect(await poor.balanceCents()).toBe(500);
  });
});
