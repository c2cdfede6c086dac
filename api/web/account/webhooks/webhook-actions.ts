import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { redirect } from '#api/web/framework/answer.ts';
import { choice, wholeNumber } from '#api/web/framework/forms/form-fields.ts';
import { actorOf } from '#api/web/visit/visit.ts';
import { plusMs } from '#common/clock.ts';
import { pingWebhook } from '#common/mail-jobs/events/ping-webhook.ts';
import { changeWebhook } from '#common/webhooks/console/change-webhook.ts';
import { redeliver, redeliverFailed } from '#common/webhooks/console/redeliver.ts';
import { rotateSecret } from '#common/webhooks/console/rotate-secret.ts';
import { findWebhook } from '#common/webhooks/registry/read-webhooks.ts';
import { webhookStatuses } from '#common/webhooks/registry/webhook.model.ts';
import { defineAction } from './texts.ts';
import { webhookPage } from './webhook.ts';
import { remarkOn, secretView, webhookFields, webhookParams, webhookPath } from './webhook-form.ts';

const hourMs = 3_600_000;
const spanHours = { hour: 1, day: 24, week: 7 * 24, fortnight: 14 * 24 } as const;
const noFields = z.object({});
const shared = { params: webhookParams, page: webhookPage } as const;

export const changeWebhookAction = defineAction({
  ...shared,
  path: '/account/webhooks/:webhookId/change',
  form: z.object(webhookFields),

  async run({ visit, params: { webhookId }, form, now }, services) {
    const webhook = await findWebhook(visit.user.organizationId, webhookId);
    await changeWebhook(webhook, webhookId, form, services, now, actorOf(visit));
    return redirect(visit.href(webhookPath(webhookId), { notice: 'webhookChanged' }));
  },
});

export const setWebhookStatusAction = defineAction({
  ...shared,
  path: '/account/webhooks/:webhookId/status',
  form: z.object({ status: choice(webhookStatuses) }),

  async run({ visit, params: { webhookId }, form: { status }, now }, services) {
    const webhook = await findWebhook(visit.user.organizationId, webhookId);
    await changeWebhook(webhook, webhookId, { status }, services, now, actorOf(visit));
    const notice = status === 'active' ? 'webhookEnabled' : 'webhookDisabled';
    return redirect(visit.href(webhookPath(webhookId), { notice }));
  },
});

export const rotateSecretAction = defineAction({
  ...shared,
  path: '/account/webhooks/:webhookId/rotate',
  form: z.object({ overlapHours: wholeNumber(0, 24) }),

  async run({ visit, params: { webhookId }, form: { overlapHours }, now }, services) {
    const title = visit.texts.webhooks.rotatedTitle;
    const webhook = await findWebhook(visit.user.organizationId, webhookId);
    const rotation = await rotateSecret(webhook, webhookId, overlapHours, services, now, actorOf(visit));
    return secretView(visit, { title, secret: rotation.secret, webhookId, remark: remarkOn(rotation, visit) });
  },
});

export const pingWebhookAction = defineAction({
  ...shared,
  path: '/account/webhooks/:webhookId/ping',
  form: noFields,

  async run({ visit, params: { webhookId }, now }, services) {
    const webhook = await findWebhook(visit.user.organizationId, webhookId);
    await pingWebhook(webhook, webhookId, services, now);
    return redirect(visit.href(webhookPath(webhookId), { notice: 'webhookPinged' }));
  },
});

export const redeliverAction = defineAction({
  ...shared,
  path: '/account/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
  params: webhookParams.extend({ deliveryId: idOf('whd') }),
  form: noFields,

  async run({ visit, params: { webhookId, deliveryId }, now }, services) {
    const webhook = await findWebhook(visit.user.organizationId, webhookId);
    await redeliver(webhook, webhookId, deliveryId, services, now);
    return redirect(visit.href(webhookPath(webhookId), { notice: 'deliveryRequested' }));
  },
});

export const redeliverFailedAction = defineAction({
  ...shared,
  path: '/account/webhooks/:webhookId/redeliver-failed',
  form: z.object({ since: choice(['hour', 'day', 'week', 'fortnight']) }),

  async run({ visit, params: { webhookId }, form, now }, services) {
    const webhook = await findWebhook(visit.user.organizationId, webhookId);
    const since = plusMs(now, -spanHours[form.since] * hourMs);
    const { redelivered, hasMore } = await redeliverFailed(webhook, webhookId, since, services, now);
    const done = hasMore ? 'redeliveryHasMore' : 'redeliveryBegun';
    return redirect(visit.href(webhookPath(webhookId), { notice: redelivered === 0 ? 'nothingToRedeliver' : done }));
  },
});
