// Level: push

import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { returnSandboxItems } from '#common/sandbox/advance/return-sandbox-items.ts';
import { runClock } from '#common/sandbox/advance/run-clock.ts';
import { clockWork, type SandboxClockRecord } from '#common/sandbox/clocks/sandbox-clock.model.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, aRequestAddress, aSender, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock, plusDays, pretendRendered } from '#test/support/sandbox/test-clock.ts';

describe('a registered test letter whose copies come back', () => {
  // No workers: each test runs them itself.
  const world = startWorld();
  const sender = openOnce(() => aSender(world));
  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();
  const redact = (id: string) => sender.http.post(`/v1/mails/${id}/redact`);

  async function send(outcomes: readonly string[], overrides: Record<string, unknown> = {}) {
    const recipients = outcomes.map((outcome) => aRequestAddress({ line1: `sandbox:${outcome}` }));
    const { body } = await sender.send({ serviceType: 'registered', recipients, ...overrides });
    await pretendRendered(body.mailJobId);
    return { id: body.mailJobId as string, dropAt: body.dropAt as string };
  }

  /** Advances a clock as a worker does. */
  async function advance(clock: Awaited<ReturnType<typeof aTestClock>>, to: string): Promise<void> {
    await clock.start(to);
    const claim = await claimDue<SandboxClockRecord>(clockWork, clock.id, new Date());
    if (!claim) throw new Error('The clock is not due');
    const { clock: wallClock, hints, store, log } = world.workersOptions;
    const retention = { documentDays: 30, addressDays: 10 };
    const running = { closing: new AbortController().signal, signal: new AbortController().signal };
    const deps = { clock: wallClock, hints, store, log, retention, sliceMs: 60_000 };
    await runClock(claim, deps, running);
    expect(await clock.get()).toMatchObject({ status: 'ready', now: to });
  }

  test('settles by its clock when the last one is back, and is redacted days after that', async () => {
    const clock = await aTestClock(sender);
    // Two come back in one transaction, after five days, and the third after three.
    const s3Key = await upload(sender, await aPdf());
    const outcomes = ['moved', 'refused', 'deceased'];
    const { id, dropAt } = await send(outcomes, { sandboxClockId: clock.id, files: [{ s3Key }] });
    await advance(clock, plusDays(dropAt, 3));
    expect([(await read(id)).clock?.settledAt, (await redact(id)).status]).toEqual([undefined, 409]);
    await advance(clock, plusDays(dropAt, 5));
    expect((await read(id)).clock?.settledAt).toEqual(new Date(plusDays(dropAt, 5)));
    await advance(clock, plusDays(dropAt, 15));
    const { status, redactedAt, items } = await read(id);
    expect([status, redactedAt]).toEqual(['posted', new Date(plusDays(dropAt, 15))]);
    expect(items.map(({ name }) => name)).toEqual(['REDACTED', 'REDACTED', 'REDACTED']);
    // Cleanup goes by the time of day.
    expect(Number((await Upload.findById(s3Key).orFail().lean()).neededUntil)).toBeLessThanOrEqual(Date.now());
  });

  test('keeps its copies as they are when it is redacted before its last step', async () => {
    const clock = await aTestClock(sender);
    const { id, dropAt } = await send(['refused', 'returned-after-delivery'], { sandboxClockId: clock.id });
    await advance(clock, plusDays(dropAt, 4));
    expect((await redact(id)).status).toBe(200);
    await advance(clock, plusDays(dropAt, 8));
    expect((await read(id)).items.map(({ status }) => status)).toEqual(['posted', 'delivered']);
  });

  test('settles by the time of day without a clock', async () => {
    const { id } = await send(['moved', 'deceased']);
    await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'posted' });
    const returns = (await read(id)).items.map(({ itemId }) => ({ itemId, reason: 'moved' as const }));
    const at = new Date();
    await returnSandboxItems([{ mailJobId: id, owner: sender, returns }], at);
    expect((await read(id)).retention).toEqual({ addressesFrom: at });
    expect((await redact(id)).status).toBe(200);
  });
});
