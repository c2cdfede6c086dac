import { setTimeout as sleep } from 'node:timers/promises';
import { createLease, whileLeased } from '#common/platform/mongo/lease.model.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { createSuiteLog } from '#test/support/product/suite-log.ts';
import { startWorld } from '#test/support/product/world.ts';

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

  /** Starts work that the test ends. Each renewal has the next of the given outcomes, and the last one repeats. */
  function start(...outcomes: (boolean | Error)[]) {
    const lines: string[] = [];
    const work = Promise.withResolvers<string>();
    const startedMs = performance.now();
    const renewedMs: number[] = [];
    const renew = async () => {
      const outcome = outcomes[Math.min(renewedMs.length, outcomes.length - 1)];
      renewedMs.push(performance.now() - startedMs);
      if (outcome instanceof Error) throw outcome;
      return outcome ?? true;
    };
    const seen: { lost?: AbortSignal } = {};
    const log = createSuiteLog((line) => lines.push(line));
    const ended = whileLeased({ renew, leaseMs, log, about: { id: 'work-1' } }, (lost) => {
      seen.lost = lost;
      return work.promise;
    });
    return { work, ended, lines, renewedMs, isLost: () => seen.lost?.aborted };
  }

  test('the lease is renewed at every third of its time, until the work has ended', async () => {
    const { work, ended, renewedMs, isLost } = start(true);
    await eventually(() => expect(renewedMs.length).toBeGreaterThanOrEqual(3));
    // Node's timers fire up to 1 ms early.
    for (const [index, ms] of renewedMs.entries()) expect(ms).toBeGreaterThanOrEqual((index + 1) * (leaseMs / 3 - 1));
    expect(isLost()).toBe(false);
    work.resolve('done');
    expect(await ended).toBe('done');
    const count = renewedMs.length;
    await sleep(leaseMs);
    expect(renewedMs).toHaveLength(count);
  });

  test('a refused renewal tells the work that the lease is lost', async () => {
    const { work, ended, renewedMs, isLost } = start(true, false);
    await eventually(() => expect(isLost()).toBe(true));
    expect(renewedMs.length).toBeGreaterThanOrEqual(2);
    work.resolve('stopped');
    expect(await ended).toBe('stopped');
  });

  test('a renewal that fails is logged and tried again, and the lease is not lost', async () => {
    const { work, ended, lines, renewedMs, isLost } = start(new Error('no primary'), true);
    await eventually(() => expect(renewedMs.length).toBeGreaterThanOrEqual(3));
    expect(isLost()).toBe(false);
    work.resolve('done');
    await ended;
    expect(lines.filter((line) => line.includes('lease not renewed') && line.includes('work-1'))).toHaveLength(1);
  });

  test('failed work throws its error and is not renewed any more', async () => {
    const { work, ended, renewedMs } = start(true);
    work.reject(new Error('broken'));
    await expect(ended).rejects.toThrow('broken');
    const count = renewedMs.length;
    await sleep(leaseMs);
    expect(renewedMs).toHaveLength(count);
  });
});
