// Level: ci
import type { Clock } from '#common/clock.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, eventually, expect, test } from '../support/jest.ts';
import { aLetter, aPdf, upload } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';

const stepDelayMs = 2_000;

describe('a Redis that loses its data', () => {
  const startMs = Date.now();
  let skippedMs = 0;
  /** At a hundredth of the speed, no hint gets as old as the 10 s after which it would count as lost anyway. */
  const clock: Clock = { now: () => new Date(startMs + skippedMs + (Date.now() - startMs) / 100) };
  const world = startWorld({
    hasWorkers: true,
    hasOwnRedis: true,
    clock,
    environment: { SANDBOX_STEP_DELAY_S: String(stepDelayMs / 1_000) },
  });
  const receiver = startReceiver();

  test('the hints of all steps of letters are renewed after each loss, and each step is reported', async () => {
    const customer = await world.customer();
    const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED'];
    await customer.http.post('/v1/webhooks', { url: receiver.url, events });
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const ids: string[] = [];
    for (let index = 0; index < 10; index += 1) ids.push(await customer.sendAccepted({ files }));
    /** Waits until the next step of every letter is hinted and not yet due. Returns when the hints were sent. */
    const untilHinted = (status: 'queued' | 'printed') =>
      eventually(async () => {
        const waiting = { _id: { $in: ids }, status, 'due.step.at': { $gt: clock.now() } };
        const jobs = await MailJob.find(waiting).sort({ _id: 1 }).lean<MailJobRecord[]>();
        const hintedAt = jobs.map(({ due }) => due.step?.hintedAt?.getTime() ?? null);
        expect(hintedAt).toEqual(ids.map(() => expect.any(Number)));
        return hintedAt as number[];
      });
    for (const [step, status] of (['queued', 'printed'] as const).entries()) {
      const before = await untilHinted(status);
      await eventually(() => expect(receiver.received).toHaveLength((step + 1) * ids.length));
      await world.ownRedis?.flush();
      await eventually(async () => {
        const renewed = await untilHinted(status);
        expect(renewed.filter((ms, index) => ms <= before[index]!)).toEqual([]);
      });
      skippedMs += stepDelayMs;
    }
    await eventually(() => expect(receiver.received).toHaveLength(events.length * ids.length));
  });
});

describe('a Redis that is away', () => {
  const world = startWorld({ hasWorkers: true, hasOwnRedis: true });
  const receiver = startReceiver();

  async function subscribed() {
    receiver.received.length = 0;
    const customer = await world.customer();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const letter = await aLetter(customer, { files: [{ s3Key: await upload(customer, await aPdf()) }] });
    const accepted: number[] = [];
    /** Sends five letters, one after the other. */
    const sendFive = async () => {
      for (let index = 0; index < 5; index += 1) accepted.push((await customer.http.post('/v1/mails', letter)).status);
    };
    await sendFive();
    await eventually(() => expect(receiver.received).toHaveLength(5));
    return { accepted, sendFive };
  }

  test('letters are accepted during the outage, and reported after it', async () => {
    const { accepted, sendFive } = await subscribed();
    await world.ownRedis?.stop();
    // Answered before Redis is back: no request waits for it.
    await sendFive();
    await world.ownRedis?.start();

    expect(accepted).toEqual(Array(10).fill(201));
    await eventually(() => expect(receiver.received).toHaveLength(10));
  });

  test('letters are accepted before a Redis that hangs goes on, and reported after it', async () => {
    const { accepted, sendFive } = await subscribed();
    const resume = world.ownRedis?.freeze();
    try {
      void sendFive();
      await eventually(() => expect(accepted).toEqual(Array(10).fill(201)));
    } finally {
      resume?.();
    }
    await eventually(() => expect(receiver.received).toHaveLength(10));
  });
});
