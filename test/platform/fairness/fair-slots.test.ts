// Level: unit
import type { Owner } from '#common/modes.ts';
import { createFairSlots } from '#common/platform/fairness/fair-slots.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const live = (organizationId: string): Owner => ({ organizationId, mode: 'live' });
const sandbox = (organizationId: string): Owner => ({ organizationId, mode: 'test' });

describe('slots that organizations share', () => {
  const slots = () =>
    createFairSlots({
      perOrganization: 1,
      ownerOf: async (id) => (id.startsWith('live') ? live('a') : sandbox('a')),
    });

  test('parked live work is released before parked test work', async () => {
    const fair = slots();
    expect(await fair.acquire('test-1')).toBe('acquired');
    for (const id of ['test-2', 'live-1', 'live-2']) expect(await fair.acquire(id)).toBe('parked');
    const named: (string | null)[] = [];
    for (let id: string | null = 'test-1'; id !== null; ) {
      id = fair.release(id);
      named.push(id);
      if (id !== null) expect(await fair.acquire(id)).toBe('acquired');
    }
    expect(named).toEqual(['live-1', 'live-2', 'test-2', null]);
  });

  test('a slot is released although its owner cannot be looked up', async () => {
    let isUnreachable = false;
    const ownerOf = async () => {
      if (isUnreachable) throw new Error('the database is unreachable');
      return live('a');
    };
    const fair = createFairSlots({ perOrganization: 1, ownerOf });
    await fair.acquire('one');
    isUnreachable = true;
    expect(fair.release('one')).toBeNull();
    isUnreachable = false;
    expect(await fair.acquire('two')).toBe('acquired');
  });
});
