// Level: push
import { disableClient } from '#common/oauth/clients/change-client.ts';
import { createPasswordReset } from '#common/sessions/reset-password.ts';
import { expect } from '#test/support/jest.ts';
import { anApplication, anAttempt } from '#test/support/product/application.ts';
import { useAuditLog } from '#test/support/wallet/use-audit-log.ts';

const password = 'a new and long password';
const grantIdOf = (token: string) => token.split('_')[1] ?? '';

const testEntry = useAuditLog();

testEntry('grant.created', async ({ visitor, app, by, begin }) => {
  const { query } = anAttempt({ clientId: app.clientId, redirectUri: app.redirectUri, scopes: ['read'] });
  begin();
  const page = `/oauth/authorize?${query}`;
  await visitor.send(page, '/oauth/authorize', { action: 'allow' });
  return { actor: by.user, mode: 'test', detail: { clientId: app.clientId, scopes: 'read' } };
});

testEntry('grant.revoked', async ({ world, customer, visitor, by, begin }) => {
  const own = await anApplication(world);
  const { access_token } = await own.authorize({ organizationId: customer.organizationId });
  begin();
  const page = '/account/applications';
  await visitor.send(page, `${page}/revoke`, { clientId: own.clientId });
  const detail = { clientId: own.clientId, reason: 'user' };
  return { subjectId: grantIdOf(access_token), actor: by.user, mode: 'test', detail };
});

testEntry('grant.revoked', async ({ customer, app, by, begin }) => {
  const { refresh_token } = await app.authorize({ organizationId: customer.organizationId });
  begin();
  for (const _ of [1, 2]) await app.revoke({ token: refresh_token });
  const detail = { clientId: app.clientId, reason: 'application' };
  return { subjectId: grantIdOf(refresh_token), actor: by.application, mode: 'test', detail };
});

testEntry('grant.revoked', async ({ customer, app, begin }) => {
  const form = await app.codeForm(customer.organizationId);
  const { body } = await app.token(form);
  begin();
  await Promise.all([app.token(form), app.token(form)]);
  const detail = { clientId: app.clientId, reason: 'code-replay' };
  const actor = { kind: 'system', id: 'replay-detection' } as const;
  return { subjectId: grantIdOf(body.access_token), actor, mode: 'test', detail };
});

testEntry('grant.revoked', async ({ world, customer, by, begin }) => {
  const own = await anApplication(world);
  const { access_token } = await own.authorize({ organizationId: customer.organizationId });
  begin();
  await disableClient(own.clientId, new Date(), by.user);
  const detail = { clientId: own.clientId, reason: 'operator' };
  return { subjectId: grantIdOf(access_token), actor: by.user, mode: 'test', detail };
});

testEntry('wallet.threshold-set', async ({ visitor, by }) => {
  const page = '/account/wallet';
  await visitor.send(page, `${page}/live/threshold`, { amount: '12.50' });
  return { actor: by.user, mode: 'live', detail: { lowBalanceCents: 1_250 } };
});

testEntry('organization.cover-pages-set', async ({ visitor, by }) => {
  const page = '/account/profile';
  await visitor.send(page, `${page}/cover-pages`, { coverPages: 'never' });
  expect((await visitor.get(page)).text).toMatch(/value="never"[^>]* checked/);
  return { actor: by.user, mode: null, detail: { coverPages: 'never' } };
});

testEntry('key.created', async ({ visitor, by }) => {
  const page = '/account/api-keys';
  await visitor.send(page, page, { name: '', mode: 'test', scopes: 'read' });
  return { actor: by.user, mode: 'test', detail: { scopes: 'read' } };
});

testEntry('key.revoked', async ({ world, customer, visitor, by, begin }) => {
  const { keyId } = await world.customer({ organizationId: customer.organizationId });
  begin();
  const page = '/account/api-keys';
  await visitor.send(page, `${page}/revoke`, { keyId });
  return { subjectId: keyId, actor: by.user, mode: 'test' };
});

testEntry('user.signed-in', async ({ host, user, by }) => {
  await host.visitor().signIn(user);
  return { subjectId: user.userId, actor: by.user, mode: null };
});

testEntry('user.password-changed', async ({ user, visitor, by }) => {
  const fields = { currentPassword: user.password, password, repeated: password };
  await visitor.send('/account/profile', '/account/profile/password', fields);
  return { subjectId: user.userId, actor: by.user, mode: null };
});

testEntry('user.password-reset', async ({ host, user, by, begin }) => {
  const reset = await createPasswordReset(user.email, new Date());
  begin();
  const page = `/reset-password?token=${reset?.token}`;
  await host.visitor().send(page, '/reset-password', { password, repeated: password });
  return { subjectId: user.userId, actor: by.user, mode: null };
});
