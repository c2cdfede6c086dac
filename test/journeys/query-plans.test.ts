import { beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { routes } from '../../api/routes/index.ts';
import { plusMs } from '../../common/clock.ts';
import { newId } from '../../common/ids.ts';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import { tagOf } from '../../common/mail-jobs/metadata.schema.ts';
import { reconcile } from '../../common/mail-jobs/reconcile.ts';
import { disableClient, listClients } from '../../common/oauth/change-client.ts';
import { listGrants } from '../../common/oauth/list-grants.ts';
import { revokeGrantsOf } from '../../common/oauth/revoke-grants.ts';
import { removeExpiredUploads } from '../../common/uploads/remove-expired-uploads.ts';
import { anApplication } from '../support/application.ts';
import { aLetter } from '../support/builders.ts';
import { createClient } from '../support/client.ts';
import type { Customer } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { type Profiled, startProfiling, stopProfiling } from '../support/profiler.ts';
import { openReceiver } from '../support/receiver.ts';
import { openWebHost } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

/** Read whole on purpose: the history of migrations, a handful of rows, once at start. */
const readWhole = ['migrations', 'system.profile'];

/** The filters of the list of letters, and how many of 500 letters fit each. */
const filters = {
  '': 500,
  'status=queued': 500,
  'status=failed': 0,
  'zone=NATIONAL': 500,
  'zone=INTERNATIONAL': 0,
  'serviceType=standard': 500,
  'serviceType=prior': 0,
  'serviceType=standard&zone=NATIONAL': 500,
  'status=printed&zone=NATIONAL&serviceType=standard': 0,
  'createdAfter=2020-01-01T00:00:00Z': 500,
  'createdBefore=2020-01-01T00:00:00Z': 0,
  'zone=NATIONAL&createdAfter=2020-01-01T00:00:00Z&createdBefore=2020-01-02T00:00:00Z': 0,
  'updatedAfter=2020-01-01T00:00:00Z': 500,
  'updatedAfter=2999-01-01T00:00:00Z': 0,
  'metadata[colour]=red': 500,
  'metadata[colour]=red&metadata[size]=large': 500,
  'metadata[colour]=blue': 0,
  'metadata[colour]=red&metadata[invoice]=one': 1,
  'metadata[colour]=red&createdAfter=2020-01-01T00:00:00Z&zone=NATIONAL': 500,
  'metadata[colour]=red&status=failed': 0,
  'externalId=none': 0,
};

describe('the queries of the product', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });

  beforeAll(async () => {
    // Every operation of this world's database is written down from here on.
    await startProfiling();
  });

  /** As many letters again: with a handful every index is as good as any other. */
  async function storeCopies(mailJobId: string, count: number): Promise<void> {
    const { externalId: _, ...job } = await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();
    await MailJob.insertMany(Array.from({ length: count }, () => ({ ...job, _id: newId('mj'), due: {} })));
  }

  let customer: Promise<Customer> | undefined;
  /** A customer of 500 letters, the same for all tests that list them. */
  function listed(): Promise<Customer> {
    customer ??= world.customer().then(async (owner) => {
      const letter = await aLetter(owner, { metadata: { colour: 'red', size: 'large' } });
      const { body } = await owner.http.post('/v1/mails', letter);
      await MailJob.updateOne({ _id: body.mailJobId }, { due: {} });
      await storeCopies(body.mailJobId, 499);
      const rare = { metadata: { key: 'invoice', value: 'one' }, metadataTags: tagOf(['invoice', 'one']) };
      await MailJob.updateOne({ _id: body.mailJobId }, { $push: rare });
      return owner;
    });
    return customer;
  }

  /** Codes, tokens, replays and every way in which they end. */
  async function useApplication(organizationId: string): Promise<void> {
    const app = await anApplication(world);
    const { refresh_token } = await app.authorize({ organizationId });
    await app.refresh(refresh_token);
    await app.refresh(refresh_token);
    const { access_token } = await app.authorize({ organizationId });
    expect((await createClient(world.url, access_token).get('/v1/wallet')).status).toBe(200);
    for (const token of [access_token, refresh_token]) await app.revoke({ token });
    await listGrants(organizationId, new Date());
    await revokeGrantsOf({ organizationId, clientId: app.clientId }, new Date());
    await listClients();
    await disableClient(app.clientId, new Date());
  }

  /** What people do on the web host. */
  async function openPages(): Promise<void> {
    const host = await openWebHost(world);
    const visitor = await host.signedIn();
    const { email, password } = visitor.user;
    const owner = await world.customer({ organizationId: visitor.user.organizationId });
    const { body: letter } = await owner.http.post('/v1/mails', await aLetter(owner));
    await storeCopies(letter.mailJobId, 100);
    const entry = { kind: 'SENDER', name: 'Bo', line1: 'Kerkstraat 2', zip: '9000', city: 'Gent', country: 'BE' };
    const { body: address } = await owner.http.post('/v1/addresses', entry);
    const letters = ['', '?zone=NATIONAL&from=2026-01-01', '?externalId=plan', `/${letter.mailJobId}`];
    const addresses = ['', '?kind=SENDER&q=bo', `/${address.id}`];
    for (const path of [
      ...['/account', '/account/api-keys', '/account/profile'],
      ...letters.map((rest) => `/account/letters${rest}`),
      ...addresses.map((rest) => `/account/addresses${rest}`),
    ]) {
      expect((await visitor.get(path)).status).toBe(200);
    }
    await host.visitor().send('/forgotten-password', '/forgotten-password', { email });
    const change = { currentPassword: password, password: 'another password', repeated: 'another password' };
    expect((await visitor.send('/account/profile', '/account/profile/password', change)).status).toBe(303);
    await visitor.send('/account', '/sign-out', {});
    await host.close();
  }

  test('given the whole life of letters and every list with every filter, when the plans are looked at, then none scans a collection', async () => {
    const receiver = await openReceiver();
    const customer = await world.customer();
    const { http } = customer;
    const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED'];
    const webhook = await http.post('/v1/webhooks', { url: receiver.url, events });
    const address = { kind: 'SENDER', name: 'Bo', line1: 'Kerkstraat 2', zip: '9000', city: 'Gent', country: 'BE' };
    const entry = await http.post('/v1/addresses', { ...address, isDefault: true });
    const registered = await aLetter(customer, { serviceType: 'registered', externalId: 'plan' });
    const { body: mail } = await http.post('/v1/mails', registered);
    await storeCopies(mail.mailJobId, 500);
    await http.post('/v1/mails', registered);
    const failing = await http.post('/v1/mails', await aLetter(customer), { 'idempotency-key': 'plan' });
    await http.post(`/v1/mails/${failing.body.mailJobId}/simulate`, { to: 'failed' });
    await eventually(() => expect(receiver.received).toHaveLength(6), { withinMs: 15_000 });
    const { body: page } = await http.get('/v1/mails?limit=1');
    const { body: recorded } = await http.get('/v1/events?limit=1');
    const reads = [
      '/v1/mails',
      `/v1/mails?limit=1&cursor=${page.nextCursor}`,
      '/v1/mails?status=delivered',
      '/v1/mails?externalId=plan',
      '/v1/mails?externalId=plan&status=queued',
      ...Object.keys(filters).map((filter) => `/v1/mails?${filter}`),
      `/v1/mails/${mail.mailJobId}`,
      '/v1/webhooks',
      '/v1/webhooks?status=disabled',
      `/v1/webhooks/${webhook.body.id}`,
      ...['', '?state=delivered', `?mailJobId=${mail.mailJobId}`].map(
        (query) => `/v1/webhooks/${webhook.body.id}/deliveries${query}`,
      ),
      ...['', '?event=MAIL_QUEUED', `?mailJobId=${mail.mailJobId}`].map((query) => `/v1/events${query}`),
      `/v1/events/${recorded.data[0].id}`,
      '/v1/addresses',
      '/v1/addresses?kind=SENDER',
      '/v1/addresses?q=gent',
      `/v1/addresses/${entry.body.id}`,
      '/v1/wallet',
      '/v1/wallet/transactions',
      '/v1/wallet/transactions?kind=debit',
      '/v1/wallet/transactions?kind=refund',
      `/v1/wallet/transactions?mailJobId=${mail.mailJobId}`,
      '/v1/wallet/transactions?createdAfter=2026-01-01T00:00:00Z&createdBefore=2026-02-01T00:00:00Z',
      `/v1/wallet/statements/${new Date().toISOString().slice(0, 7)}`,
    ];
    const isRead = (path: string) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`);
      return reads.some((read) => pattern.test(read));
    };
    // A new route that reads belongs into the list above; the stream has no end, and reads as the list of events does.
    const unread = routes.filter(({ method, path }) => method === 'get' && !isRead(path)).map(({ path }) => path);
    expect(unread).toEqual(['/v1/events/stream']);
    for (const path of reads) expect(await http.get(path)).toMatchObject({ status: 200 });
    await http.patch(`/v1/addresses/${entry.body.id}`, { isDefault: false });
    await http.delete(`/v1/addresses/${entry.body.id}`);
    await http.delete(`/v1/webhooks/${webhook.body.id}`);
    await useApplication(customer.organizationId);
    await reconcile({ report: () => undefined });
    await removeExpiredUploads(world.store, plusMs(new Date(), 30 * 24 * 60 * 60 * 1000));

    await openPages();

    const all = await stopProfiling();
    expect(all.length).toBeGreaterThan(200);
    const scans = all.filter(({ ns, planSummary }) => {
      const collection = ns.slice(ns.indexOf('.') + 1);
      return planSummary?.includes('COLLSCAN') && !readWhole.includes(collection);
    });
    expect(scans.map(({ ns, command }) => [ns, JSON.stringify(command)])).toEqual([]);
    // Any index with the owner in front would hide that these look at all of an owner's letters.
    for (const field of ['externalId', 'idempotencyKey']) {
      // Looked up when a letter is sent; the list's own order may make another index the better one.

      const plans = all.flatMap(({ command, planSummary }) =>
        typeof command?.filter === 'object' && command.filter !== null && field in command.filter && !command.sort
          ? [planSummary]
          : [],
      );
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) expect(plan).toContain(`${field}: 1`);
    }
    // A time, a rare kind and a mail job each lead straight to their entries, however long the ledger is.
    const ofLedger = all.flatMap(({ ns, command, planSummary }) => {
      const filter = command?.filter as Record<string, unknown> | undefined;
      return ns.endsWith('.ledger_entries') && filter ? [{ filter, planSummary }] : [];
    });
    const plansOf = (isMeant: (filter: Record<string, unknown>) => boolean) => [
      ...new Set(ofLedger.filter(({ filter }) => isMeant(filter)).map(({ planSummary }) => planSummary)),
    ];
    expect(plansOf((filter) => 'at' in filter)).toEqual(['IXSCAN { walletId: 1, at: 1, seq: 1 }']);
    expect(plansOf((filter) => 'mailJobId' in filter)).toEqual(['IXSCAN { mailJobId: 1 }']);
    expect(plansOf(({ kind }) => kind === 'refund')).toEqual(['IXSCAN { walletId: 1, kind: 1, seq: 1 }']);
    await receiver.close();
  }, 40_000);

  test.each(Object.entries(filters))(
    'given 500 letters, when they are listed by %j, then the database reads no more of them than it returns, in their order',
    async (filter, fitting) => {
      const { http, organizationId } = await listed();
      const profiler = mongoose.connection;
      await profiler.db?.command({ profile: 2 });
      const { nextCursor } = (await http.get(`/v1/mails?limit=7&${filter}`)).body;
      const next = nextCursor === null ? '' : `&cursor=${nextCursor}`;
      const page = await http.get(`/v1/mails?limit=7&${filter}${next}`);
      expect([filter, page.body.data.length]).toEqual([filter, Math.min(7, fitting)]);
      await profiler.db?.command({ profile: 0 });
      const query = { 'command.find': 'mail_jobs', 'command.filter.organizationId': organizationId };
      const reads = await profiler
        .collection<Profiled>('system.profile')
        .find(query)
        .sort({ $natural: -1 })
        .limit(2)
        .toArray();
      for (const { planSummary, hasSortStage = false, docsExamined, nreturned } of reads) {
        expect(planSummary).toMatch(/^IXSCAN/);
        // Among the jobs of one customer alone the index of the ids is as good as that of the list.
        if (!/^updatedAfter/.test(filter)) expect(planSummary).toContain('organizationId: 1, mode: 1');
        // Of a rare entry of metadata all jobs are read: fewer than a thousand.
        if (!/^metadata.*status/.test(filter)) expect(docsExamined).toBe(nreturned);
        // The one letter of an externalId, and the few that changed lately, are found by an index of another order.
        if (!/^(externalId|updatedAfter)/.test(filter)) expect(hasSortStage).toBe(false);
        expect(nreturned).toBe(Math.min(8, fitting));
      }
      expect(reads).toHaveLength(2);
    },
  );
});
