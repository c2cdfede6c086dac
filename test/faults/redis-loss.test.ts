import { setTimeout as sleep } from 'node:timers/promises';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, eventually, expect, leastOfThree, test, timed } from '../support/jest.ts';
import { aLetter, aPdf, upload } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';

const stepDelayMs = 4_000;
const maxLatenessMs = 5_000;

describe('a Redis that loses its data', () => {
  const world = startWorld({
    hasWorkers: true,
    hasOwnRedis: true,
    environment: { SANDBOX_STEP_DELAY_S: String(stepDelayMs / 1_000) },
  });
  const receiver = startReceiver();

  test('no step of a letter is 5 s late although Redis is flushed repeatedly', async () => {
    const customer = await world.customer();
    const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED'];
    await customer.http.post('/v1/webhooks', { url: receiver.url, events });
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const letters = 10;
    /** Returns the longest time between a step and its report, from a report on, in ms. */
    const latestMs = (from = 0) =>
      Math.max(...receiver.received.slice(from).map(({ body, at }) => at - Date.parse(momentOf(body))));
    expect((await customer.send({ files })).status).toBe(201);
    await eventually(() => expect(receiver.received).toHaveLength(events.length));
    // Of one letter on this machine. Without a flush, nothing but the machine is slow.
    const maxMs = Math.max(maxLatenessMs, 3 * latestMs());

    /** Sends letters, flushes Redis at each of their steps, and returns how late the latest step or report was, in ms. */
    const flushRepeatedly = async () => {
      const before = receiver.received.length;
      const ids: string[] = [];
      for (let index = 0; index < letters; index += 1) {
        const { status, body } = await customer.send({ files });
        expect(status).toBe(201);
        ids.push(body.mailJobId);
      }
      await world.ownRedis?.flush();
      for (const status of ['queued', 'printed'] as const) {
        // Flushes while steps are hinted and not yet due.
        const waiting = { status, 'due.step.hintedAt': { $ne: null }, 'due.step.at': { $gt: new Date() } };
        await eventually(async () => expect(await MailJob.exists(waiting)).not.toBeNull());
        await world.ownRedis?.flush();
      }
      const reports = before + letters * events.length;
      await eventually(() => expect(receiver.received).toHaveLength(reports));
      const jobs = await MailJob.find({ _id: { $in: ids } }).lean<MailJobRecord[]>();
      expect(jobs).toHaveLength(letters);
      return Math.max(latestMs(before), ...jobs.flatMap(latenessOf));
    };
    expect(await leastOfThree(flushRepeatedly, maxMs)).toBeLessThan(maxMs);
  });
});

/** Returns how late a letter was printed and posted, in ms. */
function latenessOf({ createdAt, printFile, printedAt, postedAt }: MailJobRecord): number[] {
  const printDueMs = Math.max(createdAt.getTime() + stepDelayMs, printFile?.renderedAt.getTime() ?? Infinity);
  const [printedMs, postedMs] = [printedAt?.getTime() ?? Infinity, postedAt?.getTime() ?? Infinity];
  return [printedMs - printDueMs, postedMs - (printedMs + stepDelayMs)];
}

/** Returns the time of the event that a delivery reports. */
function momentOf(body: Record<string, string>): string {
  return body[`${body.status}At`] ?? '';
}

describe('a stopped Redis', () => {
  const world = startWorld({ hasWorkers: true, hasOwnRedis: true });
  const receiver = startReceiver();

  test('letters are accepted at once during the outage, and reported within 5 s after it', async () => {
    const customer = await world.customer();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const letter = await aLetter(customer, { files });
    await customer.http.post('/v1/mails', letter);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    /** Returns the median of five: waiting for Redis would slow all of them, a busy machine only one or two. */
    const sendFive = async () => {
      const durationsMs: number[] = [];
      for (let index = 0; index < 5; index += 1) {
        const startedAt = performance.now();
        expect((await customer.http.post('/v1/mails', letter)).status).toBe(201);
        durationsMs.push(performance.now() - startedAt);
      }
      return durationsMs.toSorted((left, right) => left - right)[2] ?? 0;
    };
    /** Sends five letters. Returns the median time of a send, and the time until all reports came, in ms. */
    const report = async (restart?: () => Promise<unknown>) => {
      const reports = receiver.received.length + 5;
      const sendingMs = await sendFive();
      await restart?.();
      const all = () => expect(receiver.received).toHaveLength(reports);
      return [sendingMs, await timed(() => eventually(all))] as const;
    };
    /** Returns the time taken because of an outage, as a share of the time allowed. */
    const stopRedis = async () => {
      // The first letters after an outage wait for connections.
      await report();
      const [calmMs, calmReportMs] = await report();
      await world.ownRedis?.stop();
      const [sendingMs, reportMs] = await report(async () => {
        // Long enough for every connection to notice the outage.
        await sleep(3_000);
        await world.ownRedis?.start();
      });
      return Math.max(sendingMs / Math.max(300, 4 * calmMs), reportMs / Math.max(5_000, 10 * calmReportMs));
    };
    expect(await leastOfThree(stopRedis, 1)).toBeLessThan(1);
  });
});
