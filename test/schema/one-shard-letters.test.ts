// Level: push
import { Chore } from '#common/platform/due-work/chore.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { eventually, expect, test } from '#test/support/jest.ts';
import { aLetter } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startProfiling, stopProfiling } from '#test/support/servers/profiler.ts';
import { forbiddenOf } from '#test/support/servers/scatter.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';

const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });

/** Runs every chore once. On a slow machine those of the start may run beside the first letters, or after them. */
async function runChores(): Promise<void> {
  const at = new Date();
  await Chore.updateMany({}, { $set: { due: newDue(at) }, $unset: { lastRun: 1 } });
  const isWaiting = async () => await Chore.countDocuments({ lastRun: { $exists: false } });
  await eventually(async () => expect(await isWaiting()).toBe(0));
}

test('no statement of a sandbox letter’s life would ask every shard', async () => {
  const receiver = await openReceiver();
  const customer = await world.customer();
  const { http } = customer;
  await startProfiling();
  const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED', 'ITEM_RETURNED'];
  const { id: webhookId } = (await http.post('/v1/webhooks', { url: receiver.url, events })).body;
  await http.post('/v1/wallet/test-top-up', { amountCents: 1_000 }, { 'idempotency-key': 'shards' });
  const letter = await aLetter(customer, { serviceType: 'registered', externalId: 'shards' });
  const { body: sent } = await http.post('/v1/mails', letter);
  expect((await http.post('/v1/mails', letter)).status).toBe(200);
  const { mailJobId } = sent;
  // Several at once share a transaction.
  const others = await Promise.all(
    Array.from({ length: 4 }, async (_, index) => {
      const { body } = await customer.send({}, { 'idempotency-key': `shards-${index}` });
      return body.mailJobId as string;
    }),
  );
  const own = (await customer.send({ webhookUrl: `${receiver.url}/own` })).body.mailJobId;
  // On a slow machine, the first ones may be printed before they are cancelled.
  await eventually(async () => {
    const { mailJobId: id } = (await customer.send()).body;
    expect((await http.post(`/v1/mails/${id}/cancel`)).status).toBe(200);
  });
  expect((await http.post(`/v1/mails/${others[1]}/simulate`, { to: 'failed' })).status).toBe(200);
  await http.patch(`/v1/mails/${others[2]}`, { metadata: { case: '1' } });
  const statusOf = async (id: string) => (await http.get(`/v1/mails/${id}`)).body.status;
  // Only a registered letter reports its delivery.
  const ends = { [mailJobId]: 'delivered', [own]: 'posted', [others[3] ?? '']: 'posted' };
  for (const [id, end] of Object.entries(ends)) {
    await eventually(async () => expect(await statusOf(id)).toBe(end));
  }
  const deliveries = async (query = '') => (await http.get(`/v1/webhooks/${webhookId}/deliveries${query}`)).body.data;
  await eventually(async () => {
    expect((await deliveries()).filter(({ status }: { status: string }) => status !== 'delivered')).toEqual([]);
  });
  await runChores();
  const [delivery] = await deliveries('?status=delivered');
  await http.post(`/v1/webhooks/${webhookId}/deliveries/${delivery.id}/redeliver`);
  await http.post(`/v1/webhooks/${webhookId}/redeliver-failed`, { since: new Date(Date.now() - 60_000).toISOString() });
  await http.post(`/v1/webhooks/${webhookId}/ping`);
  const { body: recorded } = await http.get('/v1/events?limit=1');
  for (const path of [
    ...['/v1/mails', '/v1/mails?status=delivered', '/v1/mails?externalId=shards', '/v1/items', '/v1/wallet'],
    ...['', '/proof', '/preview', '/preflight', '/timeline'].map((part) => `/v1/mails/${mailJobId}${part}`),
    ...['', `?mailJobId=${mailJobId}`, '?kind=refund'].map((query) => `/v1/wallet/transactions${query}`),
    ...['', `?mailJobId=${mailJobId}`].map((query) => `/v1/events${query}`),
    ...[`/v1/events/${recorded.data[0].id}`, `/v1/webhooks/${webhookId}/deliveries?mailJobId=${mailJobId}`],
    ...['letters', 'spend', 'failures', 'delivery-times'].map((name) => `/v1/reports/${name}`),
    `/v1/wallet/statements/${new Date().toISOString().slice(0, 7)}`,
  ]) {
    expect([path, (await http.get(path)).status]).toEqual([path, 200]);
  }
  expect((await http.post(`/v1/mails/${mailJobId}/redact`)).status).toBe(200);
  await http.patch(`/v1/webhooks/${webhookId}`, { status: 'disabled' });
  await http.delete(`/v1/webhooks/${webhookId}`);
  const profiled = await stopProfiling();
  expect(profiled.length).toBeGreaterThan(200);
  expect(forbiddenOf(profiled)).toEqual([]);
  await receiver.close();
});
