// Level: push
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import { MailJob, renderWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { requireRenderLease } from '#common/mail-jobs/render/render-mail-job.ts';
import { Chore, choreWork, planChore } from '#common/platform/due-work/chore.model.ts';
import { claimDue, returnClaim } from '#common/platform/due-work/due-work.ts';
import { noPauses } from '#common/platform/due-work/pauses.ts';
import { deleteWebhook } from '#common/webhooks/console/delete-webhook.ts';
import { claimDeliveries, findDueDeliveries } from '#common/webhooks/deliveries/claim-deliveries.ts';
import { deliveryWork, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { expireLease, startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';
import { cleanupWorker } from '#workers/cleanup/cleanup.worker.ts';

describe('work of a process that lost its lease', () => {
  const world = startWorld();
  const scene = startWebhookScene(world);

  test('orphaned deliveries of a deleted webhook are discarded by the next worker', async () => {
    const { customer, webhookId, clock, receiver } = scene;
    await scene.store(1);
    const claim = await claimDue<EndpointRecord>(deliveryWork, webhookId, clock.now());
    const { organizationId } = customer;
    const found = await findDueDeliveries({ organizationId, endpointId: webhookId, epoch: 0 }, clock.now());
    expect((await claimDeliveries(claim!, found, { now: clock.now(), paused: noPauses })).deliveries).toHaveLength(1);
    // The worker died: its lease expired before it recorded a result.
    await expireLease(deliveryWork, webhookId);
    await deleteWebhook(customer, webhookId, clock.now());
    await scene.sendAll();
    expect([await scene.count('discarded'), receiver.received]).toEqual([1, []]);
  });

  test('a render worker without its lease cannot fail the job', async () => {
    const customer = await world.customer();
    const { body } = await customer.send();
    const now = new Date();
    const late = await claimDue(renderWork, body.mailJobId, now);
    await expireLease(renderWork, body.mailJobId);
    await claimDue(renderWork, body.mailJobId, now);
    const failure = { code: 'PRINT_FAILED', message: 'late' } as const;
    const move = { mailJobId: body.mailJobId, target: 'failed', failure, by: 'rendering', nextStepDelayS: 1 } as const;
    await expect(advanceItems({ ...move, require: requireRenderLease(late!.token) }, now)).rejects.toMatchObject({
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
