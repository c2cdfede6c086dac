import { describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { advanceMailJob } from '../../common/mail-jobs/advance-mail-job.ts';
import { MailJob, renderWork } from '../../common/mail-jobs/mail-job.model.ts';
import { Chore, choreWork, planChore } from '../../common/platform/chore.model.ts';
import { claimDue, leaseMs, returnClaim } from '../../common/platform/due-work.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { findBatch, takeBatch } from '../../common/webhooks/delivery-batch.ts';
import { deliveryWork, Endpoint, type EndpointRecord } from '../../common/webhooks/endpoint.model.ts';
import { cleanupWorker } from '../../workers/cleanup.worker.ts';
import { startWorkers } from '../../workers/start-workers.ts';
import { aLetter } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

describe('what a process leaves behind', () => {
  const world = startWorld();

  test('given deliveries that a dead worker was sending, when their webhook is deleted, then the next worker discards them', async () => {
    const receiver = await openReceiver();
    const customer = await world.customer();
    const { body: webhook } = await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const fanOut = await startWorkers({ ...world.workersOptions, names: ['fan-out', 'scanner'] });
    await customer.http.post('/v1/mails', await aLetter(customer));
    const rows = { webhookId: webhook.id };
    await eventually(async () => expect(await Delivery.countDocuments(rows)).toBe(1), { withinMs: 10_000 });
    const claim = await eventually(
      async () => {
        const claimed = await claimDue<EndpointRecord>(deliveryWork, webhook.id, new Date());
        if (!claimed) throw new Error('not due yet');
        return claimed;
      },
      { withinMs: 10_000 },
    );
    const { deliveries } = await takeBatch(claim, await findBatch(webhook.id, new Date()), new Date());
    expect(deliveries).toHaveLength(1);
    // Its worker is gone: the lease has run out, and nobody recorded anything.
    await Endpoint.updateOne({ _id: webhook.id }, { $set: { 'due.leaseUntil': plusMs(new Date(), -1) } });
    await customer.http.delete(`/v1/webhooks/${webhook.id}`);
    const sending = await startWorkers({ ...world.workersOptions, names: ['webhook-delivery'] });
    await eventually(async () => expect((await Delivery.findOne(rows).lean())?.state).toBe('discarded'), {
      withinMs: 10_000,
    });
    expect(receiver.received).toEqual([]);
    await Promise.all([fanOut.close(), sending.close(), receiver.close()]);
  }, 40_000);

  test('given a rendering whose lease was lost, when its first worker fails the job, then it is refused', async () => {
    const customer = await world.customer();
    const { body } = await customer.http.post('/v1/mails', await aLetter(customer));
    const now = new Date();
    const late = await claimDue(renderWork, body.mailJobId, now);
    await claimDue(renderWork, body.mailJobId, plusMs(now, leaseMs));
    const failure = { code: 'PRINT_FAILED', message: 'late' } as const;
    const advance = { mailJobId: body.mailJobId, target: 'failed', failure, nextStepDelayS: 1 } as const;
    await expect(advanceMailJob({ ...advance, renderToken: late!.token }, now)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect((await MailJob.findById(body.mailJobId).lean())?.status).toBe('queued');
  });

  test('given a chore that this version does not know, when it has come by, then it stays planned; one that was lost is planned anew', async () => {
    await planChore('from-the-future', new Date());
    const claim = await claimDue<{ _id: string }>(choreWork, 'from-the-future', new Date());
    const { log } = world;
    const { signal } = new AbortController();
    await cleanupWorker(world.workersOptions).run(claim!, { closing: signal, signal, log });
    expect((await Chore.findById('from-the-future').lean())?.due?.at.getTime()).toBeGreaterThan(Date.now());
    await Chore.updateOne({ _id: 'from-the-future' }, { $unset: { due: '' } });
    await planChore('from-the-future', new Date());
    expect(await Chore.findById('from-the-future').lean()).toHaveProperty('due.at');
  });

  test('given work that is given back untried, when it is claimed again, then it is due at once and the attempt did not count', async () => {
    await planChore('again', new Date());
    const first = await claimDue(choreWork, 'again', new Date());
    await returnClaim(first!, new Date());
    expect(await claimDue(choreWork, 'again', new Date())).toMatchObject({ attempt: 1 });
  });
});
