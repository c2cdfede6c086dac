import { describe, expect, test } from '@jest/globals';
import { newId } from '../../common/ids.ts';
import { Webhook } from '../../common/webhooks/webhook.model.ts';
import type { Customer } from '../support/customer.ts';
import { startWorld } from '../support/world.ts';

describe('the number of webhooks', () => {
  const world = startWorld();
  const create = (by: Customer) =>
    by.http.post('/v1/webhooks', { url: 'https://127.0.0.1/x', events: ['MAIL_FAILED'] });
  /** So many at once, all of which must be taken. */
  async function createMany(by: Customer, count: number): Promise<string[]> {
    const answers = await Promise.all(Array.from({ length: count }, () => create(by)));
    expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(201));
    return answers.map(({ body }) => body.id);
  }
  const limitReached = { status: 409, body: { code: 'LIMIT_REACHED', message: expect.any(String) } };

  test('given 100 active webhooks, when one more is created, then 409, until one is deleted or disabled', async () => {
    // given
    const owner = await world.customer();
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(...(await createMany(owner, 10)));
    // when, then
    expect(await create(owner)).toMatchObject(limitReached);
    await owner.http.delete(`/v1/webhooks/${ids[0]}`);
    expect((await create(owner)).status).toBe(201);
    expect(await create(owner)).toMatchObject(limitReached);
    await Webhook.updateOne({ _id: ids[1] as string }, { status: 'disabled' });
    expect((await create(owner)).status).toBe(201);
    expect(await create(owner)).toMatchObject(limitReached);
    // The other mode and other organizations have limits of their own.
    const live = await world.customer({ organizationId: owner.organizationId, mode: 'live' });
    expect((await create(live)).status).toBe(201);
    expect((await create(await world.customer())).status).toBe(201);
  });

  test('given 95 active webhooks, when twenty are created at once, then five are taken and the others get 409', async () => {
    // given
    const owner = await world.customer();
    for (let n = 0; n < 5; n += 1) await createMany(owner, 19);
    // when
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(owner)));
    // then
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(15).fill(409)]);
    const { body } = await owner.http.get('/v1/webhooks');
    expect([body.data.length, body.hasMore]).toEqual([100, false]);
  });

  test('given 1,000 webhooks that are disabled, when one more is created, then 409, until one is deleted', async () => {
    const owner = await world.customer();
    const { body: first } = await create(owner);
    const kept = await Webhook.findById(first.id).orFail().lean();
    const disabled = { ...kept, status: 'disabled' as const, disabledReason: 'OWNER' as const };
    await Webhook.insertMany(Array.from({ length: 999 }, () => ({ ...disabled, _id: newId('wh') })));
    expect(await create(owner)).toMatchObject(limitReached);
    await owner.http.delete(`/v1/webhooks/${first.id}`);
    expect((await create(owner)).status).toBe(201);
  });

  test('given many webhooks, when they are listed by pages, then each comes once, the newest first', async () => {
    const owner = await world.customer();
    const created: string[] = [];
    for (let n = 0; n < 5; n += 1) created.unshift(...(await createMany(owner, 1)));
    const seen: string[] = [];
    let cursor = '';
    do {
      const { status, body } = await owner.http.get(`/v1/webhooks?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor ?? '';
    } while (cursor !== '' && seen.length < 20);
    expect(seen).toEqual(created);
    for (const limit of [0, 101]) expect((await owner.http.get(`/v1/webhooks?limit=${limit}`)).status).toBe(400);
  });
});
