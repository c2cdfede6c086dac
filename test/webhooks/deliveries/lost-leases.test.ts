import { advanceMailJob } from '#common/mail-jobs/lifecycle/advance-mail-job.ts';
import { MailJob, renderWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { Chore, choreWork, planChore } from '#common/platform/due-work/chore.model.ts';
import { claimDue, returnClaim } from '#common/platform/due-work/due-work.ts';
import { claimBatch, findBatch } from '#common/webhooks/deliveries/claim-batch.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { deliveryWork, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';
import { expireLease } from '#test/support/webhooks/webhook-scene.ts';
import { cleanupWorker } from '#workers/cleanup.worker.ts';
import { startWorkers } from '#workers/start-workers.ts';

describe('work of a process that lost its lease', () => {
  const world = startWorld();

  test('orphaned deliveries of a deleted webhook are discarded by the next worker', async () => {
    const receiver = await openReceiver();
    const customer = await world.customer();
    const { body: webhook } = await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const fanOut = await startWorkers({ ...world.workersOptions, names: ['fan-out', 'scanner'] });
    await customer.send();
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
    const found = await findBatch({ endpointId: webhook.id, epoch: 0 }, new Date());
    const { deliveries } = await claimBatch(claim, found, new Date());
    expect(deliveries).toHaveLength(1);
    // The worker died: its lease expired before it recorded a result.
    await expireLease(deliveryWork, webhook.id);
    await customer.http.delete(`/v1/webhooks/${webhook.id}`);
    const sending = await startWorkers({ ...world.workersOptions, names: ['webhook-delivery'] });
    await eventually(async () => expect((await Delivery.findOne(rows).lean())?.state).toBe('discarded'), {
      withinMs: 10_000,
    });
    expect(receiver.received).toEqual([]);
    await Promise.all([fanOut.close(), sending.close(), receiver.close()]);
  });

  test('a render worker without its lease cannot fail the job', async () => {
    const customer = await world.customer();
    const { body } = await customer.send();
    const now = new Date();
    const late = await claimDue(renderWork, body.mailJobId, now);
    await expireLease(renderWork, body.mailJobId);
    await claimDue(renderWork, body.mailJobId, now);
    const failure = { code: 'PRINT_FAILED', message: 'late' } as const;
    const advance = { mailJobId: body.mailJobId, target: 'failed', failure, nextStepDelayS: 1 } as const;
    await expect(advanceMailJob({ ...advance, renderToken: late!.token }, now)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect((await MailJob.findById(body.mailJobId).lean())?.status).toBe('queued');
  });

  test('an unknown chore stays planned, and a lost chore is planned again', async () => {
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

  test('work returned without an attempt is due at once and counts as no failure', async () => {
    await planChore('again', new Date());
    const first = await claimDue(choreWork, 'again', new Date());
    await returnClaim(first!, new Date());
    expect(await claimDue(choreWork, 'again', new Date())).toMatchObject({ failures: 0, unfinished: 0 });
  });
});
