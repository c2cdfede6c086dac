// Level: ci
import { routes } from '#api/routes/index.ts';
import { removeOldBulks } from '#common/bulk/remove-old-bulks.ts';
import { plusMs } from '#common/clock.ts';
import { findFilesToRender } from '#common/mail-jobs/render/find-files-to-render.ts';
import { listGrants } from '#common/oauth/authorization/list-grants.ts';
import { disableClient, listClients } from '#common/oauth/clients/change-client.ts';
import { endExpiredGrants, revokeGrantsOf } from '#common/oauth/tokens/revoke-grants.ts';
import { reconcile } from '#common/operations/reconcile.ts';
import { recountStorage } from '#common/operations/recount-storage.ts';
import { removeExpiredUploads } from '#common/uploads/remove-expired-uploads.ts';
import { aList, aSendableBulk, checkedBulk, insertBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { beforeAll, describe, eventually, expect, test } from '#test/support/jest.ts';
import { anApplication } from '#test/support/product/application.ts';
import { aLetter, type Customer, createClient, storeCopies } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock, clockStart, plusDays } from '#test/support/sandbox/test-clock.ts';
import { findReadsOfAll, type Profiled, startProfiling, stopProfiling } from '#test/support/servers/profiler.ts';
import { openWebHost } from '#test/support/web/web-host.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';

/** Scanned on purpose: the migrations, a handful of rows, once at start. */
const readWhole = ['migrations', 'system.profile'];

/** Statements that read across all organizations on purpose. */
const mayReadAll = [
  // The scanner, and workers that claim in bulk.
  / by due\.(\w+\.)?at( \(majority\))?$/,
  // Chores, in the order of the times at which something ends.
  / by ((printFile\.)?removeAt|removePartsAt|retention\.\w+From|(refresh\.)?expiresAt|neededUntil|removal\.nextAt)$/,
  / by (mailAt|endedAt|recountAt)$|wallets by lowBalanceCents$|deliveries by endpointId$/,
  // Reconciliation reads everything.
  / by (_id|walletId) \((majority|snapshot)\)$/,
  // The id of a row begins with that of its bulk.
  /bulk_rows by _id$/,
];

/** Whether a command is the query of a report: only reports have a time limit and group. */
const isReport = (command: Profiled['command']) =>
  command !== undefined && 'maxTimeMS' in command && JSON.stringify(command).includes('$group');

describe('the queries of the product', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });

  beforeAll(async () => {
    // Every operation of this world's database is profiled from here on.
    await startProfiling();
  });

  /** Sends, maps again, cancels and forgets a bulk. Returns the id of one that was sent. */
  async function sendBulk(customer: Customer): Promise<string> {
    const { http } = customer;
    const list = aList(20, (row) => (row === 3 ? { zip: '1' } : {}));
    const { bulkId } = await checkedBulk(customer, list);
    await http.post(`/v1/bulk/${bulkId}/mapping`, { mapping: {} });
    await waitForBulk(customer, bulkId, ['needs_attention']);
    await http.post(`/v1/bulk/${bulkId}/confirm`, { skipFaultyRows: true });
    await waitForBulk(customer, bulkId, ['sent']);
    const other = await insertBulk(customer, { state: 'sending' }, [{}]);
    await http.post(`/v1/bulk/${other}/cancel`);
    await removeOldBulks(plusMs(new Date(), 60 * 60 * 1000));
    return bulkId;
  }

  /** Codes, tokens, replays, and all ways of ending them. */
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
    await endExpiredGrants(new Date());
    await listClients();
    await disableClient(app.clientId, new Date());
  }

  /** Moves a letter to its end by a test clock, and deletes another clock. Returns the id of the first. */
  async function advanceAClock(customer: Customer): Promise<string> {
    const [clock, other] = [await aTestClock(customer), await aTestClock(customer)];
    await customer.sendAccepted({ sandboxClockId: clock.id });
    await clock.advance(plusDays(clockStart, 20));
    await customer.http.delete(other.path);
    return clock.id;
  }

  /** The actions of users on the web host. */
  async function openPages(): Promise<void> {
    const host = await openWebHost(world);
    const visitor = await host.signedIn();
    const { email, password } = visitor.user;
    const owner = await world.customer({ organizationId: visitor.user.organizationId });
    const { body: letter } = await owner.send();
    await storeCopies(letter.mailJobId, 100);
    const entry = { kind: 'SENDER', name: 'Bo', line1: 'Kerkstraat 2', zip: '9000', city: 'Gent', country: 'BE' };
    const { body: address } = await owner.http.post('/v1/addresses', entry);
    const letters = ['', '?zone=NATIONAL&from=2026-01-01', '?externalId=plan', `/${letter.mailJobId}`];
    const addresses = ['', '?kind=SENDER&q=bo', `/${address.id}`];
    for (const path of [
      ...['/account', '/account/reports', '/account/api-keys', '/account/profile'],
      ...['/account/templates', '/account/templates/letterhead'],
      ...letters.map((rest) => `/account/letters${rest}`),
      ...addresses.map((rest) => `/account/addresses${rest}`),
      `/account/bulk/${await aSendableBulk(owner, 3)}/rows/3`,
    ]) {
      expect((await visitor.get(path)).status).toBe(200);
    }
    const [recipient, action] = [
      { name: 'Bo', line1: 'Kerkstraat 2', zip: '9000', city: 'Gent', country: 'BE' },
      'recipients',
    ];
    const { location } = await visitor.send('/en/account/send', `/account/send/${action}`, recipient);
    for (const path of [location ?? '', '/account/send']) expect((await visitor.get(path)).status).toBe(200);
    await visitor.send('/account/send', '/account/send/discard', {});
    await host.visitor().send('/forgotten-password', '/forgotten-password', { email });
    const change = { currentPassword: password, password: 'another password', repeated: 'another password' };
    expect((await visitor.send('/account/profile', '/account/profile/password', change)).status).toBe(303);
    await visitor.send('/account', '/sign-out', {});
    await host.close();
  }

  test('no query of a letter’s life or of any list scans a collection', async () => {
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
    await eventually(() => expect(receiver.received).toHaveLength(6));
    const { body: checked } = await http.post('/v1/preflight', { files: registered.files });
    const { body: template } = await http.post('/v1/templates', {
      name: 'Plan',
      language: 'en',
      text: 'Dear ((name))',
    });
    await http.patch(`/v1/templates/${template.templateId}`, { text: 'Hello ((name))' });
    const { files: _, pages: __, externalId: ___, ...ofTemplate } = registered;
    const merged = { templateId: template.templateId, mergeVariables: { name: 'Ada' } };
    expect((await http.post('/v1/mails', { ...ofTemplate, ...merged })).status).toBe(201);
    await http.post(`/v1/templates/${template.templateId}/preview`, {});
    const bulkId = await sendBulk(customer);
    const ready = await checkedBulk(customer, aList(1));
    const { body: page } = await http.get('/v1/mails?limit=1');
    const { body: recorded } = await http.get('/v1/events?limit=1');
    const reads = [
      '/v1/mails',
      `/v1/mails?limit=1&cursor=${page.nextCursor}`,
      '/v1/mails?status=delivered',
      '/v1/mails?externalId=plan',
      '/v1/mails?externalId=plan&status=queued',
      `/v1/mails/${mail.mailJobId}`,
      ...['proof', 'preview', 'preflight', 'timeline'].map((copy) => `/v1/mails/${mail.mailJobId}/${copy}`),
      `/v1/preflight/${checked.preflightId}`,
      '/v1/me',
      '/v1/templates',
      '/v1/templates/letterhead',
      ...['', '?version=1', '/versions'].map((rest) => `/v1/templates/${template.templateId}${rest}`),
      '/v1/bulk',
      ...['', '/rows', '/rows?status=faulty', '/rows?status=valid', '/results', '/faults'].map(
        (part) => `/v1/bulk/${bulkId}${part}`,
      ),
      ...['', '?page=1'].map((query) => `/v1/bulk/${ready.bulkId}/rows/2/preview${query}`),
      '/v1/webhooks',
      '/v1/webhooks?status=disabled',
      `/v1/webhooks/${webhook.body.id}`,
      ...['', '?status=delivered', `?mailJobId=${mail.mailJobId}`].map(
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
      '/v1/items',
      '/v1/sandbox/clocks',
      `/v1/sandbox/clocks/${await advanceAClock(customer)}`,
      ...['letters', 'spend', 'failures', 'delivery-times'].map((name) => `/v1/reports/${name}`),
      '/v1/calendar',
      `/v1/wallet/statements/${new Date().toISOString().slice(0, 7)}`,
    ];
    const isRead = (path: string) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`);
      return reads.some((read) => pattern.test(read));
    };
    // A new route that reads belongs in the list above. The stream never ends, and reads like the list of events.
    const unread = routes.filter(({ method, path }) => method === 'get' && !isRead(path)).map(({ path }) => path);
    expect(unread).toEqual(['/v1/events/stream']);
    for (const path of reads) expect(await http.get(path)).toMatchObject({ status: 200 });
    await http.post(`/v1/bulk/${ready.bulkId}/cancel`);
    await http.patch(`/v1/addresses/${entry.body.id}`, { isDefault: false });
    await http.delete(`/v1/addresses/${entry.body.id}`);
    await http.delete(`/v1/templates/${template.templateId}`);
    await http.delete(`/v1/webhooks/${webhook.body.id}`);
    await useApplication(customer.organizationId);
    await reconcile({ report: () => undefined });
    const removal = { store: world.store, log: world.log, findNeeded: findFilesToRender, onFailure: () => {} };
    expect(await recountStorage(world, plusMs(new Date(), 2 * 24 * 60 * 60 * 1000))).toBeGreaterThan(0);
    await removeExpiredUploads(removal, plusMs(new Date(), 30 * 24 * 60 * 60 * 1000));

    await openPages();

    const all = await stopProfiling();
    expect(all.length).toBeGreaterThan(200);
    const scans = all.filter(({ ns, planSummary }) => {
      const collection = ns.slice(ns.indexOf('.') + 1);
      return planSummary?.includes('COLLSCAN') && !readWhole.includes(collection);
    });
    expect(scans.map(({ ns, command }) => [ns, JSON.stringify(command)])).toEqual([]);
    expect(findReadsOfAll(all).filter((each) => !mayReadAll.some((pattern) => pattern.test(each)))).toEqual([]);
    // An index that starts with the owner would hide that these queries read all of an owner's letters.
    for (const field of ['externalId', 'idempotencyKey']) {
      // Looked up when a letter is sent. For the list, another index may fit its order better.
      const plans = all.flatMap(({ command, planSummary }) =>
        typeof command?.filter === 'object' && command.filter !== null && field in command.filter && !command.sort
          ? [planSummary]
          : [],
      );
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) expect(plan).toContain(`${field}: 1`);
    }
    // Each letter asks whether one came back from its address: without returns, this reads one index entry and no row.
    const ofReturns = all.filter(
      ({ ns, command }) =>
        ns.endsWith('.returned_items') && JSON.stringify(command?.filter ?? {}).includes('addressKey'),
    );
    expect(ofReturns.length).toBeGreaterThan(0);
    for (const { planSummary, docsExamined, keysExamined = 0 } of ofReturns) {
      expect([planSummary, docsExamined]).toEqual(['IXSCAN { addressKey: 1 }', 0]);
      expect(keysExamined).toBeLessThanOrEqual(1);
    }
    // Reports read the ids of their period only, and counting letters by status reads no letter.
    const ofReports = all.filter(({ ns, command }) => /\.(mail_jobs|ledger_entries)$/.test(ns) && isReport(command));
    expect([...new Set(ofReports.map(({ planSummary }) => planSummary))].sort()).toEqual([
      'IXSCAN { organizationId: 1, mode: 1, status: 1, zone: 1, serviceType: 1, _id: -1 }',
      'IXSCAN { walletId: 1, at: 1, seq: 1 }',
    ]);
    const counting = ofReports.filter(({ command }) => JSON.stringify(command).includes('"status":"$status"'));
    expect(counting.length).toBeGreaterThan(0);
    for (const { docsExamined } of counting) expect(docsExamined).toBe(0);
    expect(Math.max(...counting.map(({ keysExamined = 0 }) => keysExamined))).toBeGreaterThan(500);
    // Time, a rare kind and a mail job each select their entries directly, however long the ledger is.
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
  });
});
