import { beforeEach, describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { Origin, type PermitRequest, returnPermits, takePermits } from '../../common/webhooks/origin.model.ts';
import { startWorld } from '../support/world.ts';

describe('posts under way to one origin', () => {
  startWorld({ hasTariffs: false });
  const now = new Date('2026-03-02T10:00:00.000Z');
  const origin = 'https://hooks.example.test';
  const request = (organizationId: string, endpointId: string, wanted = 10): PermitRequest => {
    return { origin, organizationId, endpointId, token: `t-${endpointId}`, wanted };
  };
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

  beforeEach(async () => void (await Origin.deleteMany({})));

  test('given endpoints of one organization, when they ask at once, then they get 20 together', async () => {
    const asked = Array.from({ length: 8 }, (_, index) => takePermits(request('org_a', `wh_${index}`), now));
    const granted = await Promise.all(asked);
    expect(sum(granted)).toBe(20);
    expect(Math.max(...granted)).toBe(10);
  });

  test('given thirty organizations, when they ask at once, then all get 200 together, and nobody below nothing', async () => {
    const asked = Array.from({ length: 30 }, (_, index) => takePermits(request(`org_${index}`, `wh_${index}`), now));
    const granted = await Promise.all(asked);
    expect(sum(granted)).toBe(200);
    expect(Math.min(...granted)).toBe(0);
    const row = await Origin.findOne().orFail().lean();
    expect(row.holders).toHaveLength(20);
  });

  test('given permits that are returned, when others ask, then they get them; a former lease returns nothing', async () => {
    await takePermits(request('org_a', 'wh_1'), now);
    await takePermits(request('org_a', 'wh_2'), now);
    expect(await takePermits(request('org_a', 'wh_3'), now)).toBe(0);
    await returnPermits({ ...request('org_a', 'wh_1'), token: 'former' });
    expect(await takePermits(request('org_a', 'wh_3'), now)).toBe(0);
    await returnPermits(request('org_a', 'wh_1'));
    expect(await takePermits(request('org_a', 'wh_3', 4), now)).toBe(4);
    expect(await takePermits(request('org_a', 'wh_4'), now)).toBe(6);
  });

  test('given a process that died with permits, when its endpoint is leased anew, then it takes them over; others wait for their end', async () => {
    await takePermits(request('org_a', 'wh_1'), now);
    await takePermits(request('org_a', 'wh_2'), now);
    expect(await takePermits({ ...request('org_a', 'wh_1'), token: 'next' }, plusMs(now, 30_000))).toBe(10);
    expect(await takePermits(request('org_a', 'wh_3'), plusMs(now, 74_000))).toBe(0);
    expect(await takePermits(request('org_a', 'wh_3'), plusMs(now, 75_001))).toBe(10);
  });
});
