// Level: push
import { newDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { deliveryWork, Endpoint, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { acquirePermits, Origin, type PermitRequest, releasePermits } from '#common/webhooks/endpoints/origin.model.ts';
import { beforeEach, describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { type ClaimedWork, claimedWork } from '#workers/claimed-work.ts';
import { endpointsPerOrganization } from '#workers/webhook-delivery.worker.ts';

describe('the endpoints of one organization in a process', () => {
  const world = startWorld({ hasTariffs: false });
  const endpointsOf = (name: string) => Array.from({ length: 20 }, (_, index) => `${name}-${index}`);

  /** A worker whose work on an organization's endpoints ends when the test lets it. */
  function aWorker() {
    const [running, hinted] = [[] as string[], [] as string[]];
    const ends = { greedy: Promise.withResolvers<void>(), modest: Promise.withResolvers<void>() };
    const hints = { ...world.hints, notify: (_queue: string, ids: readonly string[]) => void hinted.push(...ids) };
    const work: ClaimedWork<EndpointRecord> = {
      ...{ slot: deliveryWork, concurrency: 64, perOrganization: endpointsPerOrganization(64) },
      async run({ id, row }) {
        running.push(id);
        await ends[row.organizationId as keyof typeof ends].promise;
      },
    };
    const { handle } = claimedWork(work, { ...world.workersOptions, hints });
    const { signal } = new AbortController();
    return { running, hinted, ends, handle: (id: string) => handle(id, { closing: signal, signal, log: world.log }) };
  }

  beforeEach(async () => {
    await Endpoint.deleteMany({});
    const due = newDue(world.workersOptions.clock.now());
    for (const organizationId of ['greedy', 'modest']) {
      const rows = endpointsOf(organizationId).map((_id) => ({ _id, organizationId, mode: 'live' as const, due }));
      await Endpoint.insertMany(rows.map((row) => ({ ...row, webhookId: null })));
    }
  });

  test('give one organization a quarter and leave the rest to others', async () => {
    const { running, hinted, ends, handle } = aWorker();
    const parked: string[] = [];
    const handled = endpointsOf('greedy').map(async (id) => {
      await handle(id);
      if (!running.includes(id)) parked.push(id);
    });
    await eventually(() => expect([running.length, parked.length]).toEqual([16, 4]));
    const other = handle('modest-0');
    await eventually(() => expect(running).toContain('modest-0'));
    ends.modest.resolve();
    await other;
    expect(hinted).toEqual([]);
    // Each released slot goes to a parked endpoint of the same organization.
    ends.greedy.resolve();
    await Promise.all(handled);
    expect(hinted.toSorted()).toEqual(parked.toSorted());
    await handle(parked[0] ?? '');
    expect(running).toContain(parked[0]);
  });

  test('are not given to an unknown endpoint, or twice to one, which is hinted again at the end', async () => {
    const { running, hinted, ends, handle } = aWorker();
    await handle('unknown');
    const first = handle('modest-1');
    await eventually(() => expect(running).toEqual(['modest-1']));
    await handle('modest-1');
    ends.modest.resolve();
    await first;
    expect([running, hinted]).toEqual([['modest-1'], ['modest-1']]);
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
