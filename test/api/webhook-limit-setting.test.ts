import { describe, expect, test } from '@jest/globals';
import { startWorld } from '../support/world.ts';

describe('an operator who allows two active webhooks', () => {
  const world = startWorld({ environment: { MAX_ACTIVE_WEBHOOKS: '2' }, hasTariffs: false });

  test('given two, when a third is made or enabled, then 409 names the limit', async () => {
    const { http } = await world.customer();
    const create = () => http.post('/v1/webhooks', { url: 'https://127.0.0.1/x', events: ['MAIL_FAILED'] });
    const limitReached = { status: 409, body: { code: 'LIMIT_REACHED', message: expect.stringContaining('2 active') } };
    const [first, second] = [await create(), await create()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await create()).toMatchObject(limitReached);
    await http.patch(`/v1/webhooks/${first.body.id}`, { status: 'disabled' });
    expect((await create()).status).toBe(201);
    expect(await http.patch(`/v1/webhooks/${first.body.id}`, { status: 'active' })).toMatchObject(limitReached);
  });
});
