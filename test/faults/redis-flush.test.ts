import { describe, expect, test } from '@jest/globals';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

const stepDelayMs = 4_000;
const patienceMs = 5_000;

describe('a Redis that forgets everything', () => {
  const world = startWorld({
    hasWorkers: true,
    hasOwnRedis: true,
    environment: { SANDBOX_STEP_DELAY_S: String(stepDelayMs / 1_000) },
  });
  const receiver = startReceiver();

  test('given letters just sent, when Redis is flushed again and again, then no step comes 5 s after its time', async () => {
    // given
    const customer = await world.customer();
    const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED'];
    await customer.http.post('/v1/webhooks', { url: receiver.url, events });
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const letters = 10;
    // when
    for (let index = 0; index < letters; index += 1) {
      expect((await customer.http.post('/v1/mails', await aLetter(customer, { files }))).status).toBe(201);
    }
    await world.ownRedis?.flush();
    for (const status of ['queued', 'printed'] as const) {
      // Once more when steps wait in Redis alone: hinted at, and not yet due.
      const waiting = { status, 'due.step.hintedAt': { $ne: null }, 'due.step.at': { $gt: new Date() } };
      await eventually(async () => expect(await MailJob.exists(waiting)).not.toBeNull(), { withinMs: 15_000 });
      await world.ownRedis?.flush();
    }
    // then
    await eventually(() => expect(receiver.received).toHaveLength(letters * events.length), { withinMs: 30_000 });
    const latenessMs = receiver.received.map(({ body, at }) => at - Date.parse(momentOf(body)));
    expect(Math.max(...latenessMs)).toBeLessThan(patienceMs);
    for (const job of await MailJob.find({ organizationId: customer.organizationId }).lean<MailJobRecord[]>()) {
      const printDueMs = Math.max(
        job.createdAt.getTime() + stepDelayMs,
        job.printFile?.renderedAt.getTime() ?? Infinity,
      );
      const [printedMs, postedMs] = [job.printedAt?.getTime() ?? Infinity, job.postedAt?.getTime() ?? Infinity];
      expect(printedMs - printDueMs).toBeLessThan(patienceMs);
      expect(postedMs - (printedMs + stepDelayMs)).toBeLessThan(patienceMs);
    }
  }, 60_000);
});

/** When what a delivery reports happened. */
function momentOf(body: Record<string, string>): string {
  return body[`${body.status}At`] ?? '';
}
