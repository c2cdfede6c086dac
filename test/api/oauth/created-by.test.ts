// Level: push
import { externalIdOf } from '#common/bulk/model/bulk-row.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { aList, checkedBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { anApplication } from '#test/support/product/application.ts';
import { aSender, bookEntry, type Client, createClient } from '#test/support/product/customer.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

const { world, host } = startWebHost({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
const customer = openOnce(() => aSender(world));
const app = openOnce(() => anApplication(world));
const access = openOnce(() => app.authorize({ organizationId: customer.organizationId }));
const application = openOnce(async () => createClient(world.url, access.access_token));
const otherApplication = openOnce(async () => {
  const other = await anApplication(world);
  const { organizationId } = customer;
  return createClient(world.url, (await other.authorize({ organizationId })).access_token);
});

/** What creates each kind of resource, and its path and page. */
const kinds: [what: string, create: (http: Client) => Promise<{ path: string; page?: string }>][] = [
  [
    'a letter',
    async (http) => {
      const id = (await http.post('/v1/mails', await customer.letter())).body.mailJobId;
      return { path: `/v1/mails/${id}`, page: `/account/letters/${id}` };
    },
  ],
  [
    'a bulk',
    async (http) => {
      const { bulkId } = await checkedBulk({ ...customer, http }, aList(1));
      return { path: `/v1/bulk/${bulkId}`, page: `/account/bulk/${bulkId}` };
    },
  ],
  [
    'a template',
    async (http) => {
      const { templateId } = (await http.post('/v1/templates', { name: 'A', language: 'en', text: 'Hello' })).body;
      return { path: `/v1/templates/${templateId}`, page: `/account/templates/${templateId}` };
    },
  ],
  [
    'an address',
    async (http) => {
      const { id } = (await http.post('/v1/addresses', bookEntry)).body;
      return { path: `/v1/addresses/${id}`, page: `/account/addresses/${id}` };
    },
  ],
  [
    'a test clock',
    async (http) => {
      const { clockId } = (await http.post('/v1/sandbox/clocks', { now: new Date().toISOString() })).body;
      return { path: `/v1/sandbox/clocks/${clockId}` };
    },
  ],
];

describe('the creator of', () => {
  test.each(kinds)('%s is shown whole to keys, to an application only when it is its own', async (_what, create) => {
    const ofApp = await create(application);
    const ofKey = await create(customer.http);
    const shown = async (by: Client, { path }: { path: string }) => (await by.get(path)).body.createdBy;
    const ownId = { kind: 'application', id: app.clientId };
    expect([await shown(application, ofApp), await shown(customer.http, ofApp)]).toEqual([ownId, ownId]);
    expect(await shown(otherApplication, ofApp)).toEqual({ kind: 'application', id: null });
    expect(await shown(application, ofKey)).toEqual({ kind: 'api_key', id: null });
    expect(await shown(customer.http, ofKey)).toEqual({ kind: 'api_key', id: customer.keyId });
    if (ofApp.page === undefined) return;
    const visitor = await host.signedIn({ organizationId: customer.organizationId });
    expect((await visitor.get(ofApp.page)).text).toContain(`Application <code>${app.clientId}</code>`);
  });

  test('a version of a template is who made that version', async () => {
    const { templateId } = (await application.post('/v1/templates', { name: 'B', language: 'en', text: 'One' })).body;
    await customer.http.patch(`/v1/templates/${templateId}`, { text: 'Two' });
    const { data } = (await customer.http.get(`/v1/templates/${templateId}/versions`)).body;
    const kindsOf = data.map(({ createdBy }: { createdBy: { kind: string } }) => createdBy.kind);
    expect(kindsOf).toEqual(['api_key', 'application']);
    const { body } = await customer.http.get('/v1/templates?limit=100');
    const listed = body.data.find((each: { templateId: string }) => each.templateId === templateId);
    expect(listed.createdBy.kind).toBe('application');
  });

  test('the letters of a bulk is that of the bulk, and redaction keeps it', async () => {
    const { bulkId } = await checkedBulk({ ...customer, http: application }, aList(1));
    await application.post(`/v1/bulk/${bulkId}/confirm`);
    await waitForBulk(customer, bulkId, ['sent']);
    const filter = { externalId: externalIdOf({ bulkId, row: 2 }) };
    const { _id } = await MailJob.findOne(filter).orFail().lean<{ _id: string }>();
    await customer.http.post(`/v1/mails/${_id}/cancel`);
    const { status, body } = await customer.http.post(`/v1/mails/${_id}/redact`);
    expect([status, body.createdBy]).toEqual([200, { kind: 'application', id: app.clientId }]);
  });

  test('the creator of what is made on a page is the user, and older rows have none', async () => {
    const visitor = await host.signedIn({ organizationId: customer.organizationId });
    const form = { mode: 'test', name: 'Of a user', language: 'en', text: 'Hello', action: 'save' };
    await visitor.send('/account/templates/new', '/account/templates/new', form);
    const { body } = await customer.http.get('/v1/templates?limit=1');
    expect(body.data[0].createdBy).toEqual({ kind: 'user', id: expect.any(String) });
    expect((await application.get('/v1/templates?limit=1')).body.data[0].createdBy).toEqual({ kind: 'user', id: null });
    const { body: sent } = await customer.http.post('/v1/mails', await customer.letter());
    await MailJob.updateOne({ _id: sent.mailJobId }, { $unset: { createdBy: 1 } });
    expect((await customer.http.get(`/v1/mails/${sent.mailJobId}`)).body.createdBy).toBeNull();
  });
});
