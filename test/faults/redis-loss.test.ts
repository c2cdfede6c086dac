// Level: push
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

describe('a stopped Redis', () => {
  const world = startWorld({ hasWorkers: true, hasOwnRedis: true });
  const receiver = startReceiver();

  test('letters are accepted during the outage, and reported after it', async () => {
    const customer = await world.customer();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const letter = await aLetter(customer, { files: [{ s3Key: await upload(customer, await aPdf()) }] });
    const sendFive = async () => {
      for (let index = 0; index < 5; index += 1)
        expect((await customer.http.post('/v1/mails', letter)).status).toBe(201);
    };
    await sendFive();
    await eventually(() => expect(receiver.received).toHaveLength(5));

    await world.ownRedis?.stop();
    // Answered before Redis is back: no request waits for it.
    await sendFive();
    await world.ownRedis?.start();

    await eventually(() => expect(receiver.received).toHaveLength(10));
  });
});
