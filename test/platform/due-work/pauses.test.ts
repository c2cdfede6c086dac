// Level: push
import { newId } from '#common/ids.ts';
import { pauseWork, resumeWork } from '#common/operations/change-pauses.ts';
import { Pause, type PauseRecord } from '#common/platform/due-work/pause.model.ts';
import { maxPauses, readPauses } from '#common/platform/due-work/pauses.ts';
import { beforeEach, describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('many pauses', () => {
  startWorld({ hasTariffs: false });
  const by = { kind: 'cli', id: 'ada' } as const;
  const start = new Date('2027-03-01T08:00:00Z');
  const minuteMs = 60_000;
  const minutes = (count: number) => new Date(start.getTime() + count * minuteMs);
  const ofWork = { work: 'webhooks', reason: 'test', by: 'cli ada' } as const;
  beforeEach(() => Pause.deleteMany({}));

  const pause = async (organizationId: string | null, at = start) =>
    await pauseWork({ work: 'webhooks', organizationId, reason: 'test' }, by, at);

  test('after a thousand ended pauses, the last one counts and the one that lasts holds', async () => {
    const ended = Array.from({ length: 1_000 }, (_, n): PauseRecord => {
      const pauseOf = { ...ofWork, organizationId: newId('org') };
      return { _id: `webhooks:${n}`, ...pauseOf, since: minutes(-10), endedAt: minutes(-5) };
    });
    await Pause.insertMany(ended);
    await pause(null);
    await resumeWork({ work: 'webhooks', organizationId: null }, by, minutes(2));
    const held = newId('org');
    await pause(held, minutes(3));
    const view = await readPauses();
    expect([view.covers('webhook-delivery', held), view.covers('webhook-delivery', newId('org'))]).toEqual([
      true,
      false,
    ]);
    expect(view.endedMsSince('webhook-delivery', held, start)).toBe(2 * minuteMs);
  });

  test('with 200 paused organizations no further one is paused, but all work is', async () => {
    const current = Array.from({ length: maxPauses }, (_, n): PauseRecord => {
      return { _id: `webhooks:${n}`, ...ofWork, organizationId: newId('org'), since: start };
    });
    await Pause.insertMany(current);
    await expect(pause(newId('org'))).rejects.toMatchObject({ code: 'CONFLICT' });
    await pause(null);
    await pauseWork({ work: 'all', organizationId: null, reason: 'test' }, by, start);
    const { isPaused, organizationIds } = (await readPauses()).of('webhook-delivery');
    expect([isPaused, organizationIds.length]).toEqual([true, maxPauses]);
  });
});
