// Level: push
import { createDeliveryMetrics } from '#common/webhooks/deliveries/delivery-metrics.ts';
import { disableWebhook } from '#common/webhooks/sending/disable-webhook.ts';
import { createClient } from '#test/support/product/customer.ts';
import { hookUrl, operator, useAuditLog } from '#test/support/wallet/use-audit-log.ts';

const testEntry = useAuditLog();

testEntry('webhook.created', async ({ by, aWebhook }) => ({
  subjectId: await aWebhook(),
  actor: by.key,
  mode: 'test',
}));

testEntry('webhook.created', async ({ world, customer, app, by, begin }) => {
  const { access_token } = await app.authorize({ organizationId: customer.organizationId });
  begin();
  const webhook = { url: hookUrl, events: ['MAIL_QUEUED'] };
  const { body } = await createClient(world.url, access_token).post('/v1/webhooks', webhook);
  const [, grantId = ''] = access_token.split('_');
  return { subjectId: body.id, actor: { ...by.application, grantId }, mode: 'test' };
});

testEntry('webhook.created', async ({ visitor, by }) => {
  const page = '/account/webhooks';
  await visitor.send(page, page, { mode: 'live', url: hookUrl, events: 'MAIL_QUEUED', description: '' });
  return { actor: by.user, mode: 'live' };
});

testEntry('webhook.moved', async ({ customer, by, aWebhook, begin }) => {
  const subjectId = await aWebhook();
  begin();
  await customer.http.patch(`/v1/webhooks/${subjectId}`, { url: 'http://127.0.0.1:10/other?secret=1' });
  return { subjectId, actor: by.key, mode: 'test', detail: { from: '127.0.0.1:9', to: '127.0.0.1:10' } };
});

testEntry('webhook.disabled', async ({ visitor, by, aWebhook, begin }) => {
  const subjectId = await aWebhook();
  const page = `/account/webhooks/${subjectId}`;
  begin();
  await visitor.send(page, `${page}/status`, { status: 'disabled' });
  return { subjectId, actor: by.user, mode: 'test' };
});

testEntry('webhook.disabled', async ({ world, customer, aWebhook, begin }) => {
  const subjectId = await aWebhook();
  const endpoint = { _id: subjectId, organizationId: customer.organizationId, mode: 'test' as const };
  const metrics = createDeliveryMetrics(world.registry);
  begin();
  await disableWebhook({ ...endpoint, webhookId: subjectId }, 'GONE', new Date(), { log: world.log, metrics });
  return { subjectId, actor: { kind: 'system', id: 'webhooks' }, mode: 'test', detail: { reason: 'GONE' } };
});

testEntry('webhook.enabled', async ({ customer, by, aWebhook, begin }) => {
  const subjectId = await aWebhook();
  await customer.http.patch(`/v1/webhooks/${subjectId}`, { status: 'disabled' });
  begin();
  await customer.http.patch(`/v1/webhooks/${subjectId}`, { status: 'active' });
  return { subjectId, actor: by.key, mode: 'test' };
});

testEntry('webhook.secret-rotated', async ({ customer, by, aWebhook, begin }) => {
  const subjectId = await aWebhook();
  begin();
  await customer.http.post(`/v1/webhooks/${subjectId}/rotate-secret`, { overlapHours: 3 });
  return { subjectId, actor: by.key, mode: 'test', detail: { overlapHours: 3 } };
});

testEntry('webhook.deleted', async ({ customer, by, aWebhook, begin }) => {
  const subjectId = await aWebhook();
  begin();
  for (const _ of [1, 2]) await customer.http.delete(`/v1/webhooks/${subjectId}`);
  return { subjectId, actor: by.key, mode: 'test' };
});

testEntry('job-webhook-secret.revealed', async ({ customer, visitor, by }) => {
  const page = '/account/job-webhook-secrets';
  await visitor.send(page, page, { mode: 'live' });
  return { subjectId: customer.organizationId, actor: by.user, mode: 'live' };
});

testEntry('job-webhook-secret.revealed', async ({ customer, administer }) => {
  await administer('org', 'show', '--org', customer.organizationId);
  return { subjectId: customer.organizationId, actor: operator, mode: null };
});

testEntry('job-webhook-secret.rotated', async ({ customer, visitor, by }) => {
  const page = '/account/job-webhook-secrets';
  await visitor.send(page, `${page}/test/rotate`, { overlapHours: '0' });
  return { subjectId: customer.organizationId, actor: by.user, mode: 'test', detail: { overlapHours: 0 } };
});

testEntry('job-webhook-secret.rotated', async ({ customer, administer }) => {
  const wanted = ['--org', customer.organizationId, '--mode', 'live', '--overlap-hours', '1'];
  await administer('org', 'rotate-job-webhook-secret', ...wanted);
  return { subjectId: customer.organizationId, actor: operator, mode: 'live', detail: { overlapHours: 1 } };
});
