import { beforeEach, describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { Chore, choreWork, planChore } from '../../common/platform/chore.model.ts';
import {
  claimDue,
  findUnhinted,
  finishClaim,
  leaseMs,
  markHinted,
  releaseClaim,
  reloadClaim,
  renewClaim,
} from '../../common/platform/due-work.ts';
import { startWorld } from '../support/world.ts';

describe('work that falls due', () => {
  startWorld();
  const now = new Date('2026-03-02T10:00:00.000Z');
  const id = 'sweep';
  const search = { now, forgottenAt: new Date(0), limit: 10 };
  const hinted = async (at = now, forgottenAt = new Date(0)) =>
    (await findUnhinted(choreWork, { now: at, forgottenAt, limit: 10 })).map((found) => found.id);

  beforeEach(async () => {
    await Chore.deleteMany({});
    await planChore(id, now);
  });

  test('given due work, when twenty claim it at once, then one gets it', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimDue(choreWork, id, now)));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
  });

  test('given work planned for later, when it is claimed a millisecond early, then nobody gets it', async () => {
    expect(await claimDue(choreWork, id, plusMs(now, -1))).toBeNull();
    expect(await claimDue(choreWork, id, now)).not.toBeNull();
  });

  test('given a worker that died, when its lease has run out, then another one gets the work', async () => {
    await claimDue(choreWork, id, now);
    expect(await claimDue(choreWork, id, plusMs(now, leaseMs - 1))).toBeNull();
    expect(await claimDue(choreWork, id, plusMs(now, leaseMs))).toMatchObject({ attempt: 2 });
  });

  test('given a lease that was renewed, when its first end has passed, then nobody else gets the work', async () => {
    const claim = await claimDue(choreWork, id, now);
    expect(await renewClaim(claim!, plusMs(now, 20_000))).toBe(true);
    expect(await claimDue(choreWork, id, plusMs(now, leaseMs))).toBeNull();
  });

  test('given a lease that another worker has taken over, when the first one renews or finishes, then it is refused', async () => {
    const late = await claimDue(choreWork, id, now);
    const second = await claimDue(choreWork, id, plusMs(now, leaseMs));
    expect(await renewClaim(late!, plusMs(now, leaseMs))).toBe(false);
    expect(await finishClaim(late!)).toBe(false);
    await releaseClaim(late!, now);
    expect(await reloadClaim(second!)).not.toBeNull();
    expect(await finishClaim(second!)).toBe(true);
  });

  test('given work newly wanted while it is done, when it is finished by what was seen before, then it stays due', async () => {
    const claim = await claimDue(choreWork, id, now);
    await Chore.updateOne({ _id: id }, { $inc: { 'due.version': 1 } });
    expect(await finishClaim(claim!)).toBe(false);
    const current = await reloadClaim(claim!);
    expect(await finishClaim(current!)).toBe(true);
    expect(await Chore.findById(id).lean()).not.toHaveProperty('due');
  });

  test('given work finished with a next time, when it is looked for, then it is due from then on with a fresh count', async () => {
    const claim = await claimDue(choreWork, id, now);
    await finishClaim(claim!, { nextAt: plusMs(now, 60_000) });
    expect(await claimDue(choreWork, id, plusMs(now, 59_999))).toBeNull();
    expect(await claimDue(choreWork, id, plusMs(now, 60_000))).toMatchObject({ attempt: 1 });
  });

  test.each([
    ['due in ten seconds', 10_000, true],
    ['due in ten seconds and a millisecond', 10_001, false],
    ['long overdue', -3_600_000, true],
  ])(
    'given work %s, when the scanner looks, then whether it hints is as it should be',
    async (_what, inMs, isFound) => {
      await Chore.updateOne({ _id: id }, { $set: { 'due.at': plusMs(now, inMs) } });
      expect(await hinted()).toEqual(isFound ? [id] : []);
    },
  );

  test('given a hint just sent, when the scanner looks, then it hints again only after ten seconds, or once Redis forgot', async () => {
    await markHinted(choreWork, [id], now);
    expect(await hinted(plusMs(now, 9_999))).toEqual([]);
    expect(await hinted(plusMs(now, 10_000))).toEqual([id]);
    expect(await hinted(plusMs(now, 1_000), now)).toEqual([id]);
    await markHinted(choreWork, [id], null);
    expect(await findUnhinted(choreWork, search)).toHaveLength(1);
  });

  test('given work that somebody holds, when the scanner looks, then it hints only after the lease has run out', async () => {
    await claimDue(choreWork, id, now);
    expect(await hinted(plusMs(now, leaseMs - 1))).toEqual([]);
    expect(await hinted(plusMs(now, leaseMs))).toEqual([id]);
  });
});
