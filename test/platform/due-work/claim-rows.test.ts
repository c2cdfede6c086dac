// Level: push
import { plusMs } from '#common/clock.ts';
import { Chore, choreWork, planChore } from '#common/platform/due-work/chore.model.ts';
import { claimRows } from '#common/platform/due-work/claim-due-in-bulk.ts';
import { claimDue, finishClaim, releaseClaim, renewClaim } from '#common/platform/due-work/due-work.ts';
import { beforeEach, describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { expireLease } from '#test/support/webhooks/webhook-scene.ts';

describe('rows that are claimed in one command', () => {
  startWorld({ hasTariffs: false });
  const now = new Date('2026-03-02T10:00:00.000Z');

  beforeEach(async () => {
    await Chore.deleteMany({});
    for (const id of ['a', 'b', 'c', 'd']) await planChore(id, now);
  });

  test('each caller learns whether its own row was claimed', async () => {
    await planChore('later', plusMs(now, 1));
    await claimDue(choreWork, 'b', now);
    const claims = await claimRows(choreWork, ['d', 'b', 'gone', 'later', 'a'], { now });
    expect(claims.map((claim) => claim?.id ?? null)).toEqual(['d', null, null, null, 'a']);
    expect(await claimDue(choreWork, 'a', now)).toBeNull();
    expect(await claimDue(choreWork, 'c', now)).not.toBeNull();
  });

  test('of two callers with the same row, one gets it', async () => {
    const claims = await claimRows(choreWork, ['a', 'b', 'a'], { now });
    expect(claims.map((claim) => claim?.id ?? null)).toEqual(['a', 'b', null]);
  });

  test('of ten concurrent commands for the same rows, one claims each row', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const claims = (await Promise.all(Array.from({ length: 10 }, () => claimRows(choreWork, ids, { now })))).flat();
    expect(claims.flatMap((claim) => claim?.id ?? []).toSorted()).toEqual(ids);
  });

  test('a lease that one row lost is lost for that row only', async () => {
    const claims = await claimRows(choreWork, ['a', 'b', 'c'], { now });
    await expireLease(choreWork, 'b');
    const [other] = await claimRows(choreWork, ['b'], { now });
    const answers = async (act: (claim: NonNullable<(typeof claims)[number]>) => Promise<boolean>) =>
      await Promise.all(claims.map((claim) => act(claim!)));
    expect(await answers(renewClaim)).toEqual([true, false, true]);
    expect(await answers(finishClaim)).toEqual([true, false, true]);
    expect(await finishClaim(other!)).toBe(true);
  });

  test('failures and unfinished claims are counted as for a single claim', async () => {
    await releaseClaim((await claimDue(choreWork, 'a', now))!, now);
    await claimDue(choreWork, 'b', now);
    await expireLease(choreWork, 'b');
    expect(await claimRows(choreWork, ['a', 'b', 'c'], { now })).toMatchObject([
      { failures: 1, unfinished: 0 },
      { failures: 0, unfinished: 1 },
      { failures: 0, unfinished: 0 },
    ]);
  });
});
