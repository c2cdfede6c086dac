// Level: push
import { createLease, whileLeased } from '#common/platform/mongo/lease.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { createSuiteLog } from '#test/support/product/suite-log.ts';
import { startWorld } from '#test/support/product/world.ts';
import { useStandingTime } from '#test/support/standing-time.ts';

describe('a role that one process holds', () => {
  startWorld({ hasTariffs: false });

  test('of ten processes that ask for a free role at once, one gets it and keeps it', async () => {
    const leases = Array.from({ length: 10 }, () => createLease('contended', 60_000));
    const granted = await Promise.all(leases.map((lease) => lease.hold()));
    expect(granted.filter(Boolean)).toHaveLength(1);
    expect(await Promise.all(leases.map((lease) => lease.hold()))).toEqual(granted);
  });

  test('a released role is free at once, and a release by another process changes nothing', async () => {
    const [holder, other] = [createLease('released', 60_000), createLease('released', 60_000)];
    expect(await holder.hold()).toBe(true);
    await other.release();
    expect(await other.hold()).toBe(false);
    await holder.release();
    expect([await other.hold(), await holder.hold()]).toEqual([true, false]);
  });
});

describe('work under a lease', () => {
  const leaseMs = 60;
  const { run, advance } = useStandingTime();

  /** Starts work that the test ends. Each renewal has the next of the given outcomes, and the last one repeats. */
  function start(...outcomes: (boolean | Error)[]) {
    const lines: string[] = [];
    const work = Promise.withResolvers<string>();
    let renewals = 0;
    const renew = async () => {
      const outcome = outcomes[Math.min(renewals, outcomes.length - 1)];
      renewals += 1;
      if (outcome instanceof Error) throw outcome;
      return outcome ?? true;
    };
    const seen: { lost?: AbortSignal } = {};
    const log = createSuiteLog((line) => lines.push(line));
    const lease = { renew, leaseMs, log, about: { id: 'work-1' } };
    const ended = run(() =>
      whileLeased(lease, (lost) => {
        seen.lost = lost;
        return work.promise;
      }),
    );
    return { work, ended, lines, renewals: () => renewals, isLost: () => seen.lost?.aborted };
  }

  test('the lease is renewed at every third of its time, until the work has ended', async () => {
    const { work, ended, renewals, isLost } = start(true);
    for (const count of [1, 2, 3]) {
      await advance(leaseMs / 3 - 1);
      expect(renewals()).toBe(count - 1);
      await advance(1);
      expect(renewals()).toBe(count);
    }
    expect(isLost()).toBe(false);
    work.resolve('done');
    expect(await ended).toBe('done');
    await advance(leaseMs);
    expect(renewals()).toBe(3);
  });

  test('a refused renewal tells the work that the lease is lost', async () => {
    const { work, ended, isLost } = start(true, false);
    await advance(leaseMs / 3);
    expect(isLost()).toBe(false);
    await advance(leaseMs / 3);
    expect(isLost()).toBe(true);
    work.resolve('stopped');
    expect(await ended).toBe('stopped');
  });

  test('a renewal that fails is logged and tried again, and the lease is not lost', async () => {
    const { work, ended, lines, renewals, isLost } = start(new Error('no primary'), true);
    await advance(leaseMs);
    expect(renewals()).toBe(3);
    expect(isLost()).toBe(false);
    work.resolve('done');
    await ended;
    expect(lines.filter((line) => line.includes('lease not renewed') && line.includes('work-1'))).toHaveLength(1);
  });

  test('failed work throws its error and is not renewed any more', async () => {
    const { work, ended, renewals } = start(true);
    work.reject(new Error('broken'));
    await expect(ended).rejects.toThrow('broken');
    await advance(leaseMs);
    expect(renewals()).toBe(0);
  });
});
