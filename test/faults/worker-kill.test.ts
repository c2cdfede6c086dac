// Level: push
import { Event } from '#common/events/event.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { DeliveryAttempt } from '#common/webhooks/deliveries/delivery.model.ts';
import { afterEach, eventually, expect, openOnce, test } from '../support/jest.ts';
import { killStartedPrograms, startProductProcess } from '../support/processes/process-control.ts';
import { startWorld } from '../support/product/world.ts';
import { startFaultProxy } from '../support/servers/fault-proxy.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';

const world = startWorld({ environment: { SANDBOX_STEP_DELAY_S: '1', WORK_LEASE_S: '3' } });
const receiver = startReceiver();
/** Between the worker that is killed and the object store. */
const proxy = openOnce(() => startFaultProxy(process.env.S3_ENDPOINT ?? ''));
afterEach(killStartedPrograms);

test('work of a killed worker resumes after a restart, and is paid once', async () => {
  const customer = await world.customer();
  await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED', 'MAIL_PRINTED'] });
  const isHeld = Promise.withResolvers<void>();
  receiver.answerWith(async () => {
    isHeld.resolve();
    await new Promise(() => {});
    return 200;
  });
  // Rendering waits for its file, for 4 s at a time.
  proxy.set('freeze');
  const S3_ENDPOINT = proxy.url.replace(/\/$/, '');
  const workers = await startProductProcess('workers/main.ts', { ...world.environment, S3_ENDPOINT });
  const sent = await customer.send();
  expect(sent.status).toBe(201);
  const mailJobId: string = sent.body.mailJobId;
  await isHeld.promise;
  await eventually(async () => expect(await leaseOfRender(mailJobId)).not.toBeNull());

  workers.kill('SIGKILL');
  expect(await workers.ended).toBe('SIGKILL');
  const leaseOfKilled = await leaseOfRender(mailJobId);
  expect(leaseOfKilled).not.toBeNull();
  receiver.answerWith(() => 200);
  await startProductProcess('workers/main.ts', world.environment);

  await eventually(() => expect(ofKind('MAIL_QUEUED')).toHaveLength(2));
  const [first, second] = ofKind('MAIL_QUEUED');
  expect(second?.headers['x-service-delivery']).toBe(first?.headers['x-service-delivery']);
  expect(second?.raw).toBe(first?.raw);
  // Resumed: under another lease, or already finished.
  await eventually(async () => expect(await leaseOfRender(mailJobId)).not.toBe(leaseOfKilled));
  await eventually(() => expect(ofKind('MAIL_PRINTED')).toHaveLength(1));
  expect(await LedgerEntry.countDocuments({ mailJobId })).toBe(1);
  expect(await Event.countDocuments({ subjectId: mailJobId, kind: 'MAIL_QUEUED' })).toBe(1);
  const deliveryId = String(first?.headers['x-service-delivery']);
  const attempts = () => DeliveryAttempt.find({ deliveryId }).sort({ number: 1 }).lean();
  const both = [
    { number: 1, status: null, errorClass: 'interrupted' },
    { number: 2, status: 200, errorClass: null },
  ];
  await eventually(async () => expect(await attempts()).toMatchObject(both));
  expect([first, second].map((each) => each?.headers['x-service-attempt'])).toEqual(['1', '2']);
});

const ofKind = (event: string) => receiver.received.filter(({ body }) => body.event === event);

async function leaseOfRender(mailJobId: string): Promise<string | null> {
  const job = await MailJob.findById(mailJobId).orFail().lean();
  return job.due.render?.leaseToken ?? null;
}
