// Level: push
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { Endpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import { createEndpointSlots } from '#common/webhooks/endpoints/endpoint-slots.ts';
import { acquirePermits, Origin, type PermitRequest, releasePermits } from '#common/webhooks/endpoints/origin.model.ts';
import { beforeAll, beforeEach, describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('the endpoint slots of a process', () => {
  startWorld({ hasTariffs: false });
  const endpointsOf = (name: string) => Array.from({ length: 20 }, (_, index) => `${name}-${index}`);

  beforeAll(async () => {
    for (const organizationId of ['greedy', 'modest']) {
      const rows = endpointsOf(organizationId).map((_id) => ({ _id, organizationId, mode: 'live' as const }));
      await Endpoint.insertMany(rows.map((row) => ({ ...row, webhookId: null })));
    }
  });

  test('give one organization a quarter and leave the rest to others', async () => {
    const slots = createEndpointSlots(64);
    const results: string[] = [];
    for (const id of endpointsOf('greedy')) results.push(await slots.acquire(id));
    expect(results.filter((result) => result === 'acquired')).toHaveLength(16);
    expect(results.filter((result) => result === 'parked')).toHaveLength(4);
    expect(await slots.acquire('modest-0')).toBe('acquired');
    // Each released slot goes to a parked endpoint of the same organization.
    expect(slots.release('modest-0')).toBeNull();
    const next = [slots.release('greedy-0'), slots.release('greedy-1')];
    expect(next).toEqual(['greedy-16', 'greedy-17']);
    expect(await slots.acquire('greedy-16')).toBe('acquired');
  });

  test('are not given to an unknown endpoint, or twice to the same one', async () => {
    const slots = createEndpointSlots(64);
    expect([await slots.acquire('modest-1'), await slots.acquire('modest-1')]).toEqual(['acquired', 'busy']);
    expect(await slots.acquire('unknown')).toBe('refused');
    expect(slots.release('unknown')).toBeNull();
  });
});

describe('permits for one origin', () => {
  startWorld({ hasTariffs: false });
  const origin = 'https://hooks.example.test';
  const request = (organizationId: string, endpointId: string, wanted = 10): PermitRequest => {
    return { origin, organizationId, endpointId, token: `t-${endpointId}`, wanted };
  };
  /** Permits expire by the database's clock, which a test cannot move: move their expiry instead. */
  async function passTime(ms: number): Promise<void> {
    const earlier = { $mergeObjects: ['$$this', { until: { $subtract: ['$$this.until', ms] } }] };
    await rowsOf(Origin).updateMany({}, [{ $set: { holders: { $map: { input: '$holders', in: earlier } } } }]);
  }
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

  beforeEach(async () => void (await Origin.deleteMany({})));

  test('are limited to 20 for one organization', async () => {
    const acquisitions = Array.from({ length: 8 }, (_, index) => acquirePermits(request('org_a', `wh_${index}`)));
    const granted = await Promise.all(acquisitions);
    expect(sum(granted)).toBe(20);
    expect(Math.max(...granted)).toBe(10);
  });

  test('are limited to 200 for all organizations and never negative', async () => {
    const acquisitions = Array.from({ length: 30 }, (_, index) =>
      acquirePermits(request(`org_${index}`, `wh_${index}`)),
    );
    const granted = await Promise.all(acquisitions);
    expect(sum(granted)).toBe(200);
    expect(Math.min(...granted)).toBe(0);
    const row = await Origin.findOne().orFail().lean();
    expect(row.holders).toHaveLength(20);
  });

  test('can be acquired by others once released, but not released by a former lease', async () => {
    await acquirePermits(request('org_a', 'wh_1'));
    await acquirePermits(request('org_a', 'wh_2'));
    expect(await acquirePermits(request('org_a', 'wh_3'))).toBe(0);
    await releasePermits({ ...request('org_a', 'wh_1'), token: 'former' });
    expect(await acquirePermits(request('org_a', 'wh_3'))).toBe(0);
    await releasePermits(request('org_a', 'wh_1'));
    expect(await acquirePermits(request('org_a', 'wh_3', 4))).toBe(4);
    expect(await acquirePermits(request('org_a', 'wh_4'))).toBe(6);
  });

  test('of a dead process go to the next session of its endpoint, or expire', async () => {
    await acquirePermits(request('org_a', 'wh_1'));
    await acquirePermits(request('org_a', 'wh_2'));
    await passTime(30_000);
    expect(await acquirePermits({ ...request('org_a', 'wh_1'), token: 'next' })).toBe(10);
    await passTime(40_000);
    expect(await acquirePermits(request('org_a', 'wh_3'))).toBe(0);
    await passTime(5_001);
    expect(await acquirePermits(request('org_a', 'wh_3'))).toBe(10);
  });
});
