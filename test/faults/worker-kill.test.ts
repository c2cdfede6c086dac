import { afterEach, describe, expect, test } from '@jest/globals';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { LedgerEntry } from '../../common/wallet/ledger-entry.model.ts';
import { DeliveryAttempt } from '../../common/webhooks/delivery.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { killStartedPrograms } from '../support/process-control.ts';
import { startProductProcess } from '../support/product-process.ts';
import { startReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

describe('a worker process that is killed', () => {
  const world = startWorld({ environment: { SANDBOX_STEP_DELAY_S: '1', WORK_LEASE_S: '3' } });
  const receiver = startReceiver();
  afterEach(killStartedPrograms);

  test('given a delivery and a rendering under way, when the workers are killed and started anew, then both are taken up again within 45 s, and paid once', async () => {
    // given
    const customer = await world.customer();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED', 'MAIL_PRINTED'] });
    const file = { s3Key: await upload(customer, await aPdf(10)) };
    const files = Array.from({ length: 20 }, () => file);
    const isHeld = Promise.withResolvers<void>();
    receiver.answerWith(async () => {
      isHeld.resolve();
      await new Promise(() => {});
      return 200;
    });
    const workers = await startProductProcess('workers/main.ts', world.environment);
    const sent = await customer.http.post('/v1/mails', await aLetter(customer, { pages: 200, files }));
    expect(sent.status).toBe(201);
    const mailJobId: string = sent.body.mailJobId;
    await isHeld.promise;
    await eventually(async () => expect(await leaseOfRender(mailJobId)).not.toBeNull(), { withinMs: 10_000 });
    // when
    workers.kill('SIGKILL');
    expect(await workers.ended).toBe('SIGKILL');
    const leaseOfKilled = await leaseOfRender(mailJobId);
    expect(leaseOfKilled).not.toBeNull();
    receiver.answerWith(() => 200);
    await startProductProcess('workers/main.ts', world.environment);
    const restartedAt = Date.now();
    // then
    await eventually(() => expect(ofKind('MAIL_QUEUED')).toHaveLength(2), { withinMs: 45_000 });
    const [first, second] = ofKind('MAIL_QUEUED');
    expect(second?.headers['x-service-delivery']).toBe(first?.headers['x-service-delivery']);
    expect(second?.raw).toBe(first?.raw);
    // Taken up again: under another lease, or finished already. How long it then takes is the machine's affair.
    await eventually(async () => expect(await leaseOfRender(mailJobId)).not.toBe(leaseOfKilled), {
      withinMs: restartedAt + 45_000 - Date.now(),
    });
    await eventually(() => expect(ofKind('MAIL_PRINTED')).toHaveLength(1), { withinMs: 40_000 });
    expect(await LedgerEntry.countDocuments({ mailJobId })).toBe(1);
    expect(await Event.countDocuments({ subjectId: mailJobId, kind: 'MAIL_QUEUED' })).toBe(1);
    const deliveryId = String(first?.headers['x-service-delivery']);
    const attempts = () => DeliveryAttempt.find({ deliveryId }).sort({ number: 1 }).lean();
    const both = [
      { number: 1, status: null, errorClass: 'interrupted' },
      { number: 2, status: 200, errorClass: null },
    ];
    await eventually(async () => expect(await attempts()).toMatchObject(both), { withinMs: 5_000 });
    expect([first, second].map((each) => each?.headers['x-service-attempt'])).toEqual(['1', '2']);
  }, 130_000);

  const ofKind = (event: string) => receiver.received.filter(({ body }) => body.event === event);
});

async function leaseOfRender(mailJobId: string): Promise<string | null> {
  const job = await MailJob.findById(mailJobId).orFail().lean();
  return job.due.render?.leaseToken ?? null;
}
