import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { aSendableBulk, insertBulk, runBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

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
    expect((await cancel(id)).body.state).toBe('cancelled');
    expect((await runBulk(world, id)).progress).toMatchObject({ sent: 3, cancelled: 2, notCancelled: 1 });
    expect(before - (await customer.balanceCents())).toBe(221);
    expect((await cancel(id)).status).toBe(200);
  });

  test('a bulk that is not confirmed is cancelled at once, and cannot be confirmed any more', async () => {
    const id = await insertBulk(customer);
    expect((await cancel(id)).body).toMatchObject({ state: 'cancelled', confirmedAt: null });
    expect((await customer.http.post(`/v1/bulk/${id}/confirm`, {})).status).toBe(409);
    expect((await cancel(await insertBulk(customer, { state: 'failed' }))).status).toBe(409);
  });
});
