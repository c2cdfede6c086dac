// Level: push
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { runClock } from '#common/sandbox/advance/run-clock.ts';
import { takeClockSteps } from '#common/sandbox/advance/take-clock-steps.ts';
import { clockWork, SandboxClock, type SandboxClockRecord } from '#common/sandbox/clocks/sandbox-clock.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aRequestAddress, aSender, type Sender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock, plusDays, pretendRendered } from '#test/support/sandbox/test-clock.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

describe('the work of a test clock', () => {
  // No workers: each test runs them itself.
  const world = startWorld();
  const sender = openOnce(() => aSender(world, { balanceCents: 100_000_000 }));
  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();
  const running = { closing: new AbortController().signal, signal: new AbortController().signal };
  const deps = () => {
    const { clock, hints, store, log } = world.workersOptions;
    return { clock, hints, store, log, retention: { documentDays: 30, addressDays: 10 } };
  };
  /** Claims the work of a clock, as a worker does. */
  async function claim(id: string) {
    const claimed = await claimDue<SandboxClockRecord>(clockWork, id, new Date());
    if (!claimed) throw new Error('The clock is not due');
    return claimed;
  }
  async function run(id: string): Promise<void> {
    await runClock(await claim(id), deps(), running);
  }
  async function aLetterOn(clock: { id: string }, from: Sender = sender, overrides: Record<string, unknown> = {}) {
    const { status, body } = await from.send({ sandboxClockId: clock.id, ...overrides });
    expect(status).toBe(201);
    return { id: body.mailJobId as string, dropAt: body.dropAt as string };
  }

  test('a clock that is 30 days old takes no letter while it waits for the rendering of another', async () => {
    const clock = await aTestClock(sender);
    const letter = await aLetterOn(clock);
    const at = new Date();
    await SandboxClock.updateOne({ _id: clock.id }, { $set: { deletesAt: at, 'due.at': at } });
    await run(clock.id);
    expect((await read(letter.id)).clock?.id).toBe(clock.id);
    expect((await sender.send({ sandboxClockId: clock.id })).status).toBe(400);
    await pretendRendered(letter.id);
    await SandboxClock.updateOne({ _id: clock.id }, { $set: { 'due.at': at } });
    await run(clock.id);
    expect(await SandboxClock.countDocuments({ _id: clock.id })).toBe(0);
    expect((await read(letter.id)).clock).toBeUndefined();
  });

  test('a worker gives its place to other clocks while an advance is not over', async () => {
    const clock = await aTestClock(sender);
    const letters = await Promise.all(Array.from({ length: 5 }, () => aLetterOn(clock)));
    await pretendRendered(...letters.map(({ id }) => id));
    await clock.start(plusDays(letters[0]?.dropAt ?? '', 1));
    const claimed = await claim(clock.id);
    await runClock(claimed, { ...deps(), sliceMs: 1 }, running);
    const { status, now } = await clock.get();
    expect([status, now > clock.startsAt]).toEqual(['advancing', true]);
    for (let count = 0; (await clock.get()).status === 'advancing'; count += 1) {
      expect(count).toBeLessThan(100);
      await run(clock.id);
    }
    expect(await MailJob.countDocuments({ 'clock.id': clock.id, status: 'posted' })).toBe(5);
  });

  test('an advance that was deleted meanwhile stops, and its letters stay as they are', async () => {
    const clock = await aTestClock(sender);
    const letter = await aLetterOn(clock);
    await pretendRendered(letter.id);
    await clock.start(plusDays(letter.dropAt, 1));
    const claimed = await claim(clock.id);
    await sender.http.delete(clock.path);
    await runClock(claimed, deps(), running);
    expect((await read(letter.id)).status).toBe('queued');
    await run(clock.id);
    expect((await read(letter.id)).clock).toBeUndefined();
    expect(await SandboxClock.countDocuments({ _id: clock.id })).toBe(0);
  });

  test('a letter that gets another cutoff while its step is planned is not printed at the old one', async () => {
    const clock = await aTestClock(sender);
    const letter = await aLetterOn(clock);
    const other = await aLetterOn(clock);
    await pretendRendered(letter.id, other.id);
    const jobs = [await read(letter.id), await read(other.id)];
    const stepAt = jobs[0]?.clock?.stepAt ?? new Date(0);
    const patched = await sender.http.patch(`/v1/mails/${letter.id}`, { scheduledDropAt: plusDays(letter.dropAt, 20) });
    await takeClockSteps(jobs, stepAt, deps());
    expect(await read(letter.id)).toMatchObject({ status: 'queued', dropAt: new Date(patched.body.dropAt) });
    expect((await read(other.id)).status).toBe('printed');
  });

  test('two workers with the same advance take each step once, with exact money', async () => {
    const own = await aSender(world, { balanceCents: 1_000_000 });
    const clock = await aTestClock(own);
    const recipients = ['sandbox:print-failure', 'sandbox:refused', 'Rue Haute 1'].map((line1) =>
      aRequestAddress({ line1 }),
    );
    const letters = await Promise.all(
      Array.from({ length: 30 }, () => aLetterOn(clock, own, { recipients, serviceType: 'registered' })),
    );
    const ids = letters.map(({ id }) => id);
    await pretendRendered(...ids);
    const balanceCents = await own.balanceCents();
    await clock.start(plusDays(letters[0]?.dropAt ?? '', 20));
    // The first has lost its lease, and does not know it yet.
    const stale = await claim(clock.id);
    await SandboxClock.updateOne({ _id: clock.id }, { $set: { 'due.leaseUntil': new Date(0) } });
    const current = await claim(clock.id);
    const whole = { ...deps(), sliceMs: 60_000 };
    await Promise.all([runClock(current, whole, running), runClock(stale, whole, running)]);
    expect(await clock.get()).toMatchObject({ status: 'ready' });
    const jobs = await MailJob.find({ _id: { $in: ids } }).lean<MailJobRecord[]>();
    for (const { items } of jobs) expect(items.map(({ status }) => status)).toEqual(['failed', 'posted', 'delivered']);
    const refundedCents = jobs.reduce((sum, job) => sum + job.refundedCents, 0);
    expect(await own.balanceCents()).toBe(balanceCents + refundedCents);
    expect(await findViolations()).toEqual([]);
  });
});
