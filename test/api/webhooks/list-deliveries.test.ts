// Level: push
import { eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { subscribe } from '#test/support/webhooks/receiver.ts';

const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });

test('GET /v1/webhooks/{id}/deliveries lists each delivery once, newest first, in pages', async () => {
  const sender = await world.customer();
  const { deliveries, path, end } = await subscribe(sender, ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_FAILED']);
  const [kept, failed] = [(await sender.send()).body.mailJobId, (await sender.send()).body.mailJobId];
  await sender.http.post(`/v1/mails/${kept}/simulate`, { to: 'printed' });
  await sender.http.post(`/v1/mails/${failed}/simulate`, { to: 'failed' });
  await eventually(async () => expect(await deliveries('?status=delivered')).toHaveLength(4));
  type Row = { id: string; event: string; mailJobId: string; createdAt: string };
  const all: Row[] = await deliveries();
  expect(all.map(({ createdAt }) => createdAt)).toEqual(
    all
      .map(({ createdAt }) => createdAt)
      .sort()
      .reverse(),
  );
  expect((await deliveries(`?mailJobId=${kept}`)).map(({ event }: Row) => event).sort()).toEqual([
    'MAIL_PRINTED',
    'MAIL_QUEUED',
  ]);
  expect(await deliveries('?event=MAIL_FAILED')).toMatchObject([{ mailJobId: failed }]);
  expect(await deliveries(`?event=MAIL_FAILED&mailJobId=${kept}`)).toEqual([]);
  expect(await deliveries('?status=failed')).toEqual([]);
  const seen: Row[] = [];
  let cursor = '';
  do {
    const { body } = await sender.http.get(`${path}/deliveries?limit=3${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data);
    cursor = body.nextCursor ?? '';
  } while (cursor !== '' && seen.length < 20);
  expect(seen).toEqual(all);
  await end();
});
