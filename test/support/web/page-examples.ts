import { createAddress } from '#common/addresses/change-addresses.ts';
import { plusMs } from '#common/clock.ts';
import { eventKinds } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { pingWebhook } from '#common/mail-jobs/events/ping-webhook.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { listMailJobs } from '#common/mail-jobs/read/read-mail-jobs.ts';
import type { Mode } from '#common/modes.ts';
import { Batch, type BatchState } from '#common/production/batches/batch.model.ts';
import { createPasswordReset } from '#common/sessions/reset-password.ts';
import { changeTemplate, createTemplate } from '#common/templates/change-templates.ts';
import { Delivery, DeliveryAttempt } from '#common/webhooks/deliveries/delivery.model.ts';
import { createWebhook } from '#common/webhooks/registry/create-webhook.ts';
import { aFaultyBulk } from '../bulk/a-bulk.ts';
import { anApplication, anAttempt } from '../product/application.ts';
import { aPostalAddress, aRequestAddress } from '../product/customer.ts';
import type { World } from '../product/world.ts';
import type { WebUser } from './web-host.ts';

/** The data of the examples. */
export type PageScene = { world: World; user: WebUser };

/** Creates an example URL for each page with parameters, by the path of the page. */
export const pageExamples: Record<string, (scene: PageScene) => Promise<string>> = {
  '/reset-password': async ({ world, user }) => {
    const reset = await createPasswordReset(user.email, world.clock.now());
    return `/reset-password?token=${reset?.token}`;
  },
  '/admin/organizations/:organizationId': async ({ user }) => `/admin/organizations/${user.organizationId}`,
  '/admin/letters/:mailJobId': async ({ world }) => {
    const customer = await world.customer({ mode: 'live', balanceCents: 10_000 });
    const { body } = await customer.send();
    return `/admin/letters/${body.mailJobId}`;
  },
  '/admin/press/items/:itemId': async (scene) => `/admin/press/items/${(await aBatchedLetter(scene)).itemId}`,
  '/admin/press/:batchId': async (scene) => `/admin/press/${(await aBatchedLetter(scene)).batchId}`,
  '/admin/press/:batchId/printed': async (scene) => `/admin/press/${(await aBatchedLetter(scene)).batchId}/printed`,
  '/admin/press/:batchId/posted': async (scene) => `/admin/press/${(await aBatchedLetter(scene)).batchId}/posted`,
  '/admin/press/:batchId/print-again': async (scene) =>
    `/admin/press/${(await aBatchedLetter(scene, 'needs_operator')).batchId}/print-again`,
  '/account/letters/:mailJobId': async ({ world, user }) => {
    const owner = { organizationId: user.organizationId, mode: 'test' } as const;
    // The last letter has failed, so its page shows the most content.
    const { rows } = await listMailJobs(owner, { limit: 1, status: 'failed' }, world.services.cursors);
    return `/account/letters/${rows[0]?._id}`;
  },
  '/account/letters/:mailJobId/cancel': async ({ world, user: { organizationId } }) => {
    const customer = await world.customer({ organizationId });
    return `/account/letters/${await customer.sendAccepted()}/cancel`;
  },
  '/account/bulk': async ({ user }) => {
    await aFaultyBulk(user);
    return '/account/bulk';
  },
  '/account/bulk/:bulkId': async ({ user }) => `/account/bulk/${await aFaultyBulk(user)}`,
  '/account/bulk/:bulkId/letters': async ({ user }) => `/account/bulk/${await aFaultyBulk(user)}/letters`,
  '/account/bulk/:bulkId/proofs/:row': async ({ user }) => `/account/bulk/${await aFaultyBulk(user)}/proofs/2`,
  '/account/bulk/:bulkId/rows/:row': async ({ user }) => `/account/bulk/${await aFaultyBulk(user)}/rows/3`,
  '/account/bulk/:bulkId/cancel': async ({ user }) => `/account/bulk/${await aFaultyBulk(user)}/cancel`,
  '/account/addresses/:addressId': async (scene) => `/account/addresses/${await anEntry(scene)}`,
  '/account/addresses/:addressId/delete': async (scene) => `/account/addresses/${await anEntry(scene)}/delete`,
  '/account/templates/:templateId': async (scene) => `/account/templates/${await aTemplate(scene)}?version=1`,
  '/account/templates/:templateId/delete': async (scene) => `/account/templates/${await aTemplate(scene)}/delete`,
  '/oauth/authorize': async ({ world }) => {
    const { clientId, redirectUri } = await anApplication(world);
    return `/oauth/authorize?${anAttempt({ clientId, redirectUri, scopes: ['read', 'send'] }).query}`;
  },
  '/account/applications': async ({ world, user: { organizationId } }) => {
    await (await anApplication(world)).authorize({ organizationId });
    return '/account/applications';
  },
  '/account/webhooks': async (scene) => {
    await aFailingWebhook(scene, 'live');
    return '/account/webhooks';
  },
  '/account/webhooks/:webhookId': async (scene) => `/account/webhooks/${await aFailingWebhook(scene)}`,
  '/account/webhooks/:webhookId/delete': async (scene) => `/account/webhooks/${await aFailingWebhook(scene)}/delete`,
  '/account/wallet': async () => '/account/wallet?mode=test',
  '/account/wallet/statements/:mode/:month': async ({ world }) =>
    `/account/wallet/statements/test/${world.clock.now().toISOString().slice(0, 7)}`,
};

/** A live letter to two recipients in a batch of its own. */
async function aBatchedLetter({ world }: PageScene, state: BatchState = 'at_press') {
  const customer = await world.customer({ mode: 'live', balanceCents: 10_000 });
  const recipients = [aRequestAddress(), aRequestAddress({ zip: '9000' })];
  const { body } = await customer.send({ recipients });
  const batchId = newId('bat');
  const now = world.clock.now();
  // Each has a cutoff of its own, as batches are unique.
  const cutoffAt = plusMs(now, Math.ceil(performance.now() * 1_000));
  const problem = state === 'needs_operator' ? 'It is not known whether the press has this batch.' : null;
  const kind = { provider: 'manual', zone: 'NATIONAL', serviceType: 'standard', format: 'DL' } as const;
  const counts = { letterCount: 1, itemCount: 2, sheetCount: 2 };
  const times = { closesAt: now, closedAt: now, submittedAt: now, printedAt: null, postedAt: null };
  const rest = { part: 1, color: false, acknowledgmentReceipt: false, createdAt: now, updatedAt: now, due: {} };
  await Batch.create({
    _id: batchId,
    cutoffAt,
    state,
    problem,
    ...kind,
    window: 'window-left',
    ...counts,
    ...times,
    ...rest,
  });
  const printFile = {
    ...{ s3Key: 'none', sha256: '0'.repeat(64), sizeBytes: 1, pageCount: 1, renderedAt: now },
    ...{ scheme: 'window-left', placement: 'page' },
  };
  const job = await MailJob.findByIdAndUpdate(body.mailJobId, { batchId, printFile, due: {} }).orFail();
  return { batchId, itemId: job.items[0]?.itemId };
}

async function anEntry({ world, user: { organizationId } }: PageScene): Promise<string> {
  const request = { kind: 'SENDER' as const, ...aPostalAddress({ name: 'Office' }), label: 'Head office' };
  return (await createAddress({ organizationId, mode: 'test' }, request, world.clock.now()))._id;
}

/** A template with two versions. */
async function aTemplate({ world, user: { organizationId } }: PageScene): Promise<string> {
  const owner = { organizationId, mode: 'test' } as const;
  const text = '# Invoice ((invoice number))\n\nDear ((name)),\n\n| Article | Price |\n|---|---:|\n| Bread | 2,00 |';
  const request = { name: 'Payment reminder', language: 'en', text } as const;
  const { templateId } = await createTemplate(owner, request, world.clock.now());
  await changeTemplate(owner, templateId, { text: `${text}\n\nKind regards` }, world.clock.now());
  return templateId;
}

/** A webhook whose endpoint responded with invalid content, and one of its deliveries. */
async function aFailingWebhook({ world, user }: PageScene, mode: Mode = 'test'): Promise<string> {
  const { organizationId } = user;
  const owner = { organizationId, mode };
  const url = 'https://hooks.example.com/a/rather/long/path/to/the/receiver/of/our/invoices';
  const wanted = { url, events: [...eventKinds], description: 'Tells the bookkeeping' };
  const anyTarget = { ...world.services, checkTargetUrl: async () => [] };
  const { record } = await createWebhook(owner, wanted, anyTarget, world.clock.now());
  const { deliveryId } = await pingWebhook(owner, record._id, world.services, world.clock.now());
  await Delivery.updateOne({ _id: deliveryId }, { state: 'failed', attempt: 2, nextAttemptAt: null });
  const shared = { deliveryId, startedAt: world.clock.now(), durationMs: 12, remoteIp: null };
  await DeliveryAttempt.insertMany([
    { ...shared, _id: `${deliveryId}:1`, number: 1, errorClass: 'timeout' },
    { ...shared, _id: `${deliveryId}:2`, number: 2, status: 500, replyHead: '<h1>Server error</h1>' },
  ]);
  return record._id;
}
