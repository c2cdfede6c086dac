// Level: push
import { Organization } from '#common/organizations/organization.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { sealedFieldsOf } from '#common/platform/mongo/row.ts';
import { models } from '#common/schema/migrations.ts';
import { createKeyRing } from '#common/secrets.ts';
import { findPostTarget } from '#common/webhooks/endpoints/post-target.ts';
import { Webhook } from '#common/webhooks/registry/webhook.model.ts';
import { afterEach, describe, expect, openOnce, standingClock, test } from '../support/jest.ts';
import { anApplication, anOrganization } from '../support/product/application.ts';
import { createClient } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import type { AnyJson } from '../support/project/openapi.ts';
import { adminOf } from '../support/wallet/admin.ts';
import { openStage, type Stage } from '../support/web/open-stage.ts';
import { createVisitor } from '../support/web/web-host.ts';

const k1 = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const k2 = `k2:${Buffer.alloc(32, 2).toString('base64')}`;
/** The steps of scripts/deploy/README.md: the key ring of every process after each restart. */
const steps = { before: k1, added: `${k1},${k2}`, moved: `${k2},${k1}`, removed: k2 };

describe('changing the encryption keys as the manual for operators describes', () => {
  const clock = standingClock();
  const world = startWorld({ clock, hasTariffs: false, environment: { ENCRYPTION_KEYS: steps.before } });
  const stages: Stage[] = [];
  const app = openOnce(() => anApplication(world));
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  async function withKeys(ENCRYPTION_KEYS: string): Promise<Stage> {
    const stage = await openStage(world, { ENCRYPTION_KEYS });
    stages.push(stage);
    return stage;
  }
  const refreshAt = async ({ url }: Pick<Stage, 'url'>, refreshToken: string) => {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const body = new URLSearchParams({ ...form, client_id: app.clientId, client_secret: app.secret });
    return await createClient(url).request('POST', '/oauth/token', { body });
  };

  test('a cursor stays valid while its key is in the ring, first or last', async () => {
    const customer = await world.customer();
    const address = { kind: 'SENDER', name: 'A', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };
    for (const name of ['A', 'B', 'C']) await customer.http.post('/v1/addresses', { ...address, name });
    let path = '/v1/addresses?limit=1';
    const seen: string[] = [];
    for (const ring of [steps.before, steps.added, steps.moved]) {
      const { url } = await withKeys(ring);
      const { status, body } = await createClient(url, customer.key).get(path);
      expect([ring, status]).toEqual([ring, 200]);
      seen.push(body.data[0].name);
      path = `/v1/addresses?limit=1&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual(['C', 'B', 'A']);
  });

  test('a refresh repeated within 30 s returns the same pair after each step', async () => {
    for (const [former, latter] of [
      [steps.before, steps.added],
      [steps.added, steps.moved],
    ] as const) {
      const { refresh_token } = await app.authorize();
      const first = await refreshAt(await withKeys(former), refresh_token);
      const second = await refreshAt(await withKeys(latter), refresh_token);
      expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
      expect((await refreshAt(await withKeys(latter), second.body.refresh_token)).status).toBe(200);
    }
  });

  test('either first key gives a repeated refresh the same pair and detects a stolen token', async () => {
    const [older, newer] = [await withKeys(steps.added), await withKeys(steps.moved)];
    const { refresh_token } = await app.authorize();
    const first = await refreshAt(newer, refresh_token);
    expect((await refreshAt(older, refresh_token)).body).toEqual(first.body);
    const next = await refreshAt(older, first.body.refresh_token);
    expect((await refreshAt(newer, first.body.refresh_token)).body).toEqual(next.body);
    expect((await refreshAt(newer, refresh_token)).body.error).toBe('invalid_grant');
    expect((await refreshAt(newer, next.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('a process without the new key does not treat an honest repeat as theft', async () => {
    const { refresh_token } = await app.authorize();
    const newer = await withKeys(steps.moved);
    const first = await refreshAt(newer, refresh_token);
    const elsewhere = await refreshAt(await withKeys(steps.before), refresh_token);
    expect([elsewhere.status, elsewhere.body.error]).toEqual([503, 'temporarily_unavailable']);
    expect((await refreshAt(newer, refresh_token)).body).toEqual(first.body);
    clock.advance(30_000);
    expect((await refreshAt(await withKeys(steps.before), refresh_token)).body.error).toBe('invalid_grant');
    expect((await refreshAt(newer, first.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('a session, an open form and a known browser survive each step', async () => {
    const before = await withKeys(steps.before);
    const visitor = await before.host.signedIn();
    const form = await visitor.get('/account/profile');
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(form.text)?.[1] ?? '';
    const devices = visitor.cookies.get('bluejay-devices');
    for (const ring of [steps.added, steps.moved]) {
      const { host } = await withKeys(ring);
      const same = createVisitor(host.url, new Map(visitor.cookies));
      const saved = await same.post('/en/account/profile/language', { language: 'nl', _csrf });
      expect([ring, saved.status]).toEqual([ring, 303]);
      const later = createVisitor(host.url, new Map([['bluejay-devices', devices ?? '']]));
      expect((await later.signIn(visitor.user)).status).toBe(303);
      // An unrecognized browser would get a second entry.
      expect(later.cookies.get('bluejay-devices')).toBe(devices);
    }
  });

  test('after secrets reseal every signing secret can be decrypted without the old key', async () => {
    const { url } = await withKeys(steps.before);
    const customer = await world.customer();
    const { http, organizationId } = { ...customer, http: createClient(url, customer.key) };
    const emptyOrganization = await anOrganization(world);
    const events = ['MAIL_QUEUED'];
    const made = (await http.post('/v1/webhooks', { url: 'http://127.0.0.1:9/a', events })).body;
    const rotated = await http.post(`/v1/webhooks/${made.id}/rotate-secret`, { overlapHours: 24 });
    const deleted = (await http.post('/v1/webhooks', { url: 'http://127.0.0.1:9/b', events })).body;
    await http.delete(`/v1/webhooks/${deleted.id}`);
    const jobSecret = await customer.jobWebhookSecret();

    const total = await countSealed();
    const early = await reseal(steps.added);
    expect(early).toMatchObject({ keyId: 'k1', resealed: 0, unchanged: total, unusedKeyIds: ['k2'] });
    const counts = { keyId: 'k2', unreadable: 0, keysInUse: { k2: total }, unusedKeyIds: ['k1'] };
    expect(await reseal(steps.moved)).toEqual({ ...counts, resealed: total, unchanged: 0 });
    expect(await reseal(steps.moved)).toEqual({ ...counts, resealed: 0, unchanged: total });

    const { services } = await withKeys(steps.removed);
    const endpoint = { organizationId, mode: 'test' as const, webhookId: made.id };
    const target = await findPostTarget({ _id: made.id, ...endpoint }, services.keyRing);
    expect(target?.secrets.map(({ secret }) => secret)).toEqual([rotated.body.secret, made.secret]);
    const jobTarget = await findPostTarget({ _id: 'job-1', ...endpoint, webhookId: null }, services.keyRing);
    expect(jobTarget?.secrets.map(({ secret }) => secret)).toEqual([jobSecret]);
    const other = { organizationId: emptyOrganization, mode: 'live' as const, webhookId: null };
    expect(await findPostTarget({ _id: 'job-2', ...other }, services.keyRing)).not.toBeNull();
  });

  test('every field that a model declares as sealed is encrypted again', async () => {
    const [before, after] = [createKeyRing([k1]), createKeyRing([k2])];
    const declared = models.flatMap((model) => sealedFieldsOf(model.schema).map((field) => ({ ...field, model })));
    expect(declared.map(({ path }) => path)).toEqual(expect.arrayContaining(['secret', 'jobWebhookSecret.live']));
    for (const { model, path, contextOf } of declared) {
      const value = { [path]: before.encrypt(`secret in ${path}`, contextOf('row')) };
      await rowsOf(model).updateOne({ _id: 'row' }, { $set: value }, { upsert: true });
    }
    await reseal(steps.moved);
    for (const { model, path, contextOf } of declared) {
      const row = await rowsOf(model).findOne({ _id: 'row' });
      const sealed = path.split('.').reduce((part, name) => part?.[name], row as AnyJson);
      expect([path, after.decrypt(sealed, contextOf('row'))]).toEqual([path, `secret in ${path}`]);
    }
    for (const { model } of declared) await rowsOf(model).deleteOne({ _id: 'row' });
  });

  /** Returns what the command prints. */
  async function reseal(ring: string) {
    return JSON.parse((await adminOf(world)(['secrets', 'reseal', '--json'], { ENCRYPTION_KEYS: ring })).stdout);
  }

  async function countSealed(): Promise<number> {
    const webhooks = await Webhook.find().lean();
    const previous = webhooks.filter(({ previousSecret }) => previousSecret);
    return 2 * (await Organization.countDocuments()) + webhooks.length + previous.length;
  }
});
