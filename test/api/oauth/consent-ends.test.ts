// Level: push
import { revokeApiKey } from '#common/access/api-keys.ts';
import { Event } from '#common/events/event.model.ts';
import { disableClient } from '#common/oauth/clients/change-client.ts';
import { lifetimes } from '#common/oauth/lifetimes.ts';
import { endExpiredGrants } from '#common/oauth/tokens/revoke-grants.ts';
import type { TokenResponse } from '#common/oauth/tokens/token-response.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { jobEndpointId } from '#common/webhooks/endpoints/endpoint.model.ts';
import { createWebhook } from '#common/webhooks/registry/create-webhook.ts';
import { Webhook } from '#common/webhooks/registry/webhook.model.ts';
import { insertBulk } from '#test/support/bulk/a-bulk.ts';
import { beforeEach, describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { type Application, anApplication, type Form } from '#test/support/product/application.ts';
import {
  aPdf,
  aSender,
  bookEntry,
  type Client,
  createClient,
  type Sender,
  upload,
} from '#test/support/product/customer.ts';
import { onCommand } from '#test/support/races/on-command.ts';
import { startWebHost } from '#test/support/web/web-host.ts';
import { startReceiver } from '#test/support/webhooks/receiver.ts';
import { anyTarget, createTestDispatcher } from '#test/support/webhooks/webhook-scene.ts';

const clock = standingClock();
const { world, host } = startWebHost({ clock });
const hook = { url: 'https://93.184.216.34/hook', events: ['MAIL_QUEUED' as const] };
const dayMs = 24 * 60 * 60 * 1_000;

let app: Application;
let customer: Sender;
/** The form of the code that was exchanged, and the tokens of the consent. */
let codeForm: Form;
let tokens: TokenResponse;
let http: Client;

/** Lets the user consent, and becomes the application. */
async function consent(): Promise<void> {
  codeForm = await app.codeForm(customer.organizationId);
  tokens = (await app.token(codeForm)).body;
  http = createClient(world.url, tokens.access_token);
}

beforeEach(async () => {
  // The object store compares it with its own.
  clock.set(new Date());
  app = await anApplication(world);
  customer = await aSender(world);
  await consent();
});

/** The ways in which a consent ends. */
const ends: Record<string, () => Promise<unknown>> = {
  'the application revokes its refresh token': () => app.revoke({ token: tokens.refresh_token }),
  'the user revokes it on the page': async () => {
    const visitor = await host.signedIn({ organizationId: customer.organizationId });
    await visitor.send('/account/applications', '/account/applications/revoke', { clientId: app.clientId });
  },
  'a code is used twice': () => app.token(codeForm),
  'a spent refresh token is used again': async () => {
    await app.refresh(tokens.refresh_token);
    clock.advance(lifetimes.graceMs);
    await app.refresh(tokens.refresh_token);
  },
  'the operator disables the application': () => disableClient(app.clientId, clock.now()),
  'it is not refreshed in time': async () => {
    clock.advance(lifetimes.refreshTokenMs);
    await endExpiredGrants(clock.now());
  },
  'its year is over': async () => {
    for (let count = 0; count < 10; count += 1) {
      clock.advance(40 * dayMs);
      tokens = { ...tokens, ...(await app.refresh(tokens.refresh_token)).body };
    }
    await endExpiredGrants(clock.now());
  },
};

describe('a webhook of an application', () => {
  const create = async (by: Client) => (await by.post('/v1/webhooks', hook)).body;
  const read = async (id: string) => (await customer.http.get(`/v1/webhooks/${id}`)).body;

  test.each(Object.entries(ends))('ends when %s', async (_how, end) => {
    const [own, other] = [await create(http), await create(customer.http)];
    await end();
    expect(await read(own.id)).toMatchObject({ status: 'disabled', disabledReason: 'CONSENT_ENDED' });
    expect(await read(other.id)).toMatchObject({ status: 'active', disabledReason: null });
  });

  test('is not revived by a new consent, and goes on under that of another organization', async () => {
    const own = await create(http);
    const neighbour = await aSender(world);
    const access = await app.authorize({ organizationId: neighbour.organizationId });
    const theirs = await create(createClient(world.url, access.access_token));
    await app.revoke({ token: tokens.refresh_token });
    await consent();
    expect(await read(own.id)).toMatchObject({ status: 'disabled' });
    expect((await neighbour.http.get(`/v1/webhooks/${theirs.id}`)).body).toMatchObject({ status: 'active' });
  });

  test('is not created after the end, although its token was checked before', async () => {
    const [grantId = ''] = tokens.access_token.split('_').slice(1);
    await app.revoke({ token: tokens.refresh_token });
    const by = { kind: 'application', id: app.clientId, grantId } as const;
    const deps = { ...world.services, ...anyTarget };
    await expect(createWebhook(customer, hook, deps, clock.now(), by)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await Webhook.countDocuments({ organizationId: customer.organizationId })).toBe(0);
  });

  test('is also one whose URL it set or that it enabled, until another does', async () => {
    const [moved, enabled, described, kept] = [
      await create(customer.http),
      await create(customer.http),
      await create(customer.http),
      await create(http),
    ];
    const change = (by: Client, { id }: { id: string }, patch: object) => by.patch(`/v1/webhooks/${id}`, patch);
    await change(http, moved, { url: `${hook.url}/app` });
    await change(customer.http, enabled, { status: 'disabled' });
    await change(http, enabled, { status: 'active' });
    await change(http, described, { description: 'Seen by the application' });
    await change(customer.http, kept, { url: `${hook.url}/own` });
    await app.revoke({ token: tokens.refresh_token });
    const statuses = [moved, enabled, described, kept].map(async ({ id }) => (await read(id)).status);
    expect(await Promise.all(statuses)).toEqual(['disabled', 'disabled', 'active', 'active']);
  });

  test('shows an application its own id as the creator, and of others only the kind', async () => {
    const [own, ofKey] = [await create(http), await create(customer.http)];
    const other = await anApplication(world);
    const access = await other.authorize({ organizationId: customer.organizationId });
    const ofOther = await create(createClient(world.url, access.access_token));
    const shownTo = async (by: Client) => {
      const { data } = (await by.get('/v1/webhooks')).body;
      const creators = new Map(data.map((each: { id: string; createdBy: unknown }) => [each.id, each.createdBy]));
      return [own, ofKey, ofOther].map(({ id }) => creators.get(id));
    };
    const keyId = expect.stringMatching(/^test[a-z2-7]{16}$/);
    expect(await shownTo(http)).toEqual([
      { kind: 'application', id: app.clientId },
      { kind: 'api_key', id: null },
      { kind: 'application', id: null },
    ]);
    expect(await shownTo(customer.http)).toEqual([
      { kind: 'application', id: app.clientId },
      { kind: 'api_key', id: keyId },
      { kind: 'application', id: other.clientId },
    ]);
  });

  test('says on its page who created it and why it is disabled', async () => {
    const own = await create(http);
    await app.revoke({ token: tokens.refresh_token });
    const visitor = await host.signedIn({ organizationId: customer.organizationId });
    const { text } = await visitor.get(`/account/webhooks/${own.id}`);
    expect(text).toContain('the access of the application that set it up has ended');
    expect(text).toContain(`Application <code>${app.clientId}</code>`);
  });
});

describe("the events of a letter that an application sent to a URL of the letter's own", () => {
  const receiver = startReceiver();
  const dispatcher = openOnce(async () => createTestDispatcher(world, clock));

  async function aLetterBy(by: Client): Promise<string> {
    const letter = { ...(await customer.letter()), webhookUrl: receiver.url };
    const { status, body } = await by.post('/v1/mails', letter);
    expect(status).toBe(201);
    return body.mailJobId;
  }
  const send = () => dispatcher.send(jobEndpointId(customer, receiver.url));
  const deliveryOf = (mailJobId: string) => Delivery.findOne({ mailJobId, event: 'MAIL_QUEUED' }).orFail().lean();

  test.each(Object.entries(ends))('are not planned once %s', async (_how, end) => {
    const [own, other] = [await aLetterBy(http), await aLetterBy(customer.http)];
    await end();
    const before = receiver.received.length;
    await dispatcher.fanOut();
    const ended = { state: 'discarded', lastResult: 'consent_ended', attempt: 0, nextAttemptAt: null, webhookId: null };
    expect(await deliveryOf(own)).toMatchObject(ended);
    await send();
    expect(await deliveryOf(other)).toMatchObject({ state: 'delivered' });
    expect(receiver.received.length).toBe(before + 1);
  });

  test('are not sent once it has ended, although they were planned before', async () => {
    await customer.http.post('/v1/webhooks', hook);
    const own = await aLetterBy(http);
    await dispatcher.fanOut();
    await app.revoke({ token: tokens.refresh_token });
    const before = receiver.received.length;
    await send();
    expect(await deliveryOf(own)).toMatchObject({ state: 'discarded', lastResult: 'consent_ended', attempt: 0 });
    expect(receiver.received.length).toBe(before);
    // Nor are they sent to the organization's webhooks instead.
    expect(await Delivery.countDocuments({ mailJobId: own })).toBe(1);
    const { _id } = await Event.findOne({ subjectId: own }).orFail().lean();
    const { body } = await customer.http.get(`/v1/events/${_id}`);
    expect(body.deliveries).toMatchObject([{ status: 'discarded', lastResult: 'consent_ended' }]);
  });

  test('are neither sent nor given up while it is unknown whether it has ended', async () => {
    const own = await aLetterBy(http);
    await dispatcher.fanOut();
    const before = receiver.received.length;
    const refuse = async () => {
      throw new Error('the grants cannot be read');
    };
    await onCommand(({ name }, run) => (name === 'find oauth_grants' ? refuse() : run()), send);
    expect(receiver.received.length).toBe(before);
    expect(await deliveryOf(own)).toMatchObject({ attempt: 0, lastResult: null, nextAttemptAt: expect.any(Date) });
  });
});

describe('what an application made for an organization', () => {
  test('stays after the end of the consent: letters, templates, addresses, clocks and uploads', async () => {
    const scheduledDropAt = new Date(clock.now().getTime() + 20 * dayMs).toISOString();
    const made = { ...(await customer.letter()), scheduledDropAt };
    const { mailJobId } = (await http.post('/v1/mails', made)).body;
    const { templateId } = (await http.post('/v1/templates', { name: 'A', language: 'en', text: 'Hello' })).body;
    const { id: addressId } = (await http.post('/v1/addresses', bookEntry)).body;
    const { clockId } = (await http.post('/v1/sandbox/clocks', { now: clock.now().toISOString() })).body;
    const s3Key = await upload({ http }, await aPdf());
    await app.revoke({ token: tokens.refresh_token });
    const paths = [`templates/${templateId}`, `addresses/${addressId}`, `sandbox/clocks/${clockId}`];
    for (const each of paths) expect((await customer.http.get(`/v1/${each}`)).status).toBe(200);
    expect((await customer.http.get(`/v1/mails/${mailJobId}`)).body).toMatchObject({ status: 'queued' });
    expect((await customer.send({ files: [{ s3Key }] })).status).toBe(201);
    // A scheduled letter is paid: the user decides whether it goes.
    const { body } = await customer.http.post(`/v1/mails/${mailJobId}/cancel`);
    expect(body).toMatchObject({ status: 'failed', failure: { code: 'CANCELLED' } });
  });
});

describe('the end of an API key', () => {
  test('leaves its webhooks and bulks to the organization, whose key it was', async () => {
    const other = await world.customer({ organizationId: customer.organizationId });
    const { id } = (await other.http.post('/v1/webhooks', hook)).body;
    const bulkId = await insertBulk(customer, { credentialId: other.keyId, state: 'sending' });
    await revokeApiKey(other.keyId, { announce: async () => {} }, clock.now());
    const { body } = await customer.http.get(`/v1/webhooks/${id}`);
    expect(body).toMatchObject({ status: 'active', createdBy: { kind: 'api_key', id: other.keyId } });
    expect((await customer.http.get(`/v1/bulk/${bulkId}`)).body).toMatchObject({ status: 'sending' });
  });
});
