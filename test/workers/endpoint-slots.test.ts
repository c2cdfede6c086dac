import { beforeAll, describe, expect, test } from '@jest/globals';
import { Endpoint } from '../../common/webhooks/endpoint.model.ts';
import { createEndpointSlots } from '../../common/webhooks/endpoint-slots.ts';
import { startWorld } from '../support/world.ts';

describe('the endpoints that one process sends to at once', () => {
  startWorld({ hasTariffs: false });
  const endpointsOf = (name: string) => Array.from({ length: 20 }, (_, index) => `${name}-${index}`);

  beforeAll(async () => {
    for (const organizationId of ['greedy', 'modest']) {
      const rows = endpointsOf(organizationId).map((_id) => ({ _id, organizationId, mode: 'live' as const }));
      await Endpoint.insertMany(rows.map((row) => ({ ...row, webhookId: null })));
    }
  });

  test('given one organization with twenty endpoints, when all are to be sent to, then sixteen are, and others find room', async () => {
    const slots = createEndpointSlots();
    const entered: string[] = [];
    for (const id of endpointsOf('greedy')) entered.push(await slots.enter(id));
    expect(entered.filter((how) => how === 'taken')).toHaveLength(16);
    expect(entered.filter((how) => how === 'aside')).toHaveLength(4);
    expect(await slots.enter('modest-0')).toBe('taken');
    // Each that ends makes room for one that was put aside, of the same organization.
    expect(await slots.leave('modest-0')).toBeNull();
    const next = [await slots.leave('greedy-0'), await slots.leave('greedy-1')];
    expect(next).toEqual(['greedy-16', 'greedy-17']);
    expect(await slots.enter('greedy-16')).toBe('taken');
  });

  test('given an endpoint that this process has already, or that nobody knows, when it is to be sent to, then it gets no place', async () => {
    const slots = createEndpointSlots();
    expect([await slots.enter('modest-1'), await slots.enter('modest-1')]).toEqual(['taken', 'busy']);
    expect(await slots.enter('nobody')).toBe('refused');
    expect(await slots.leave('nobody')).toBeNull();
  });
});
