// Level: push
import type { AnyAction, AnyPage } from '#api/web/framework/page.ts';
import { pages } from '#api/web/pages.ts';
import { Address } from '#common/addresses/address.model.ts';
import { createAddress } from '#common/addresses/change-addresses.ts';
import { Bulk, type BulkState } from '#common/bulk/model/bulk.model.ts';
import { pingWebhook } from '#common/mail-jobs/events/ping-webhook.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { Template } from '#common/templates/template.model.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { createWebhook } from '#common/webhooks/registry/create-webhook.ts';
import { Webhook } from '#common/webhooks/registry/webhook.model.ts';
import { insertBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPostalAddress } from '#test/support/product/customer.ts';
import { formsOf, startWebHost } from '#test/support/web/web-host.ts';

/** Pictures need a rendering. The tests of letter previews, of drafts, rows and templates show each to a stranger. */
const pictures = [
  '/account/letters/:mailJobId/pages/:page',
  '/account/bulk/:bulkId/rows/:row/pages/:page',
  '/account/bulk/:bulkId/rows/:row/pdf',
  '/account/send/:draftId/picture',
  '/account/templates/pictures/:preflightId',
];
const rows = pages
  .filter(({ path, access }) => access === 'user' && /:\w+Id\b/.test(path) && !pictures.includes(path))
  .map((page) => [`${page.method.toUpperCase()} ${page.path}`, page] as const);

/** The fields of each form that are not hidden. */
const fields: Record<string, Record<string, string>> = {
  '/account/addresses/:addressId': { mode: 'test', kind: 'SENDER', ...aPostalAddress(), line2: '', label: '' },
  '/account/bulk/:bulkId/mapping': { name: 'Naam', line1: 'Straat', zip: 'Postcode', city: 'Gemeente' },
  '/account/templates/:templateId': { name: 'Other', language: 'en', text: 'Other', action: 'save' },
  '/account/webhooks/:webhookId/change': { url: 'https://127.0.0.1/y', events: 'MAIL_QUEUED' },
  '/account/webhooks/:webhookId/status': { status: 'disabled' },
  '/account/webhooks/:webhookId/rotate': { overlapHours: '0' },
  '/account/webhooks/:webhookId/redeliver-failed': { since: 'hour' },
};

describe('every page and form of the account with an id', () => {
  const { world, host } = startWebHost();
  const owner = openOnce(() => host.signedIn());
  const stranger = openOnce(() => host.signedIn());

  type Resource = {
    read(id?: string): Promise<unknown>;
    make(organizationId: string, path: string): Promise<Record<string, string>>;
  };
  /** The resources named by ids in paths. A missing one fails the test. */
  const resources: Record<string, Resource | undefined> = {
    mailJobId: {
      read: (id) => MailJob.findById(id).orFail().lean(),
      make: async (organizationId) => ({ mailJobId: await (await world.customer({ organizationId })).sendAccepted() }),
    },
    templateId: {
      read: (id) => Template.findById(id).orFail().lean(),
      make: async (organizationId) => {
        const template = { name: 'Reminder', language: 'en', text: 'Hello' } as const;
        return {
          templateId: (await createTemplate({ organizationId, mode: 'test' }, template, new Date())).templateId,
        };
      },
    },
    bulkId: {
      read: (id) => Bulk.findById(id).orFail().lean(),
      make: async (organizationId, path) => {
        const states = { pause: 'sending', resume: 'paused', mapping: 'needs_mapping', results: 'sent' };
        const state = (states[path.split('/').at(-1) as keyof typeof states] ?? 'ready') as BulkState;
        const rows = path.includes('/rows/') ? [{ state: 'faulty' as const }] : [{}];
        const bulkId = await insertBulk({ organizationId, mode: 'test' }, { state, totalCents: 221 }, rows);
        return { bulkId, row: '2' };
      },
    },
    addressId: {
      read: (id) => Address.findById(id).orFail().lean(),
      make: async (organizationId) => {
        const entry = { kind: 'SENDER' as const, ...aPostalAddress() };
        return { addressId: (await createAddress({ organizationId, mode: 'test' }, entry, new Date()))._id };
      },
    },
    webhookId: {
      read: async (id) => ({
        webhook: await Webhook.findById(id).orFail().lean(),
        deliveries: await Delivery.find({ webhookId: id ?? null })
          .sort({ _id: 1 })
          .lean(),
      }),
      make: async (organizationId, path) => {
        const owner = { organizationId, mode: 'test' } as const;
        const wanted = { url: 'https://127.0.0.1/x', events: ['MAIL_FAILED' as const] };
        const { record } = await createWebhook(owner, wanted, world.services, new Date());
        if (!path.includes('redeliver')) return { webhookId: record._id };
        const { deliveryId } = await pingWebhook(owner, record._id, world.services, new Date());
        await Delivery.updateOne({ _id: deliveryId }, { state: 'failed', nextAttemptAt: null });
        return { webhookId: record._id, deliveryId };
      },
    },
  };

  async function open({ path, method, ...page }: AnyPage | AnyAction, visitor: typeof owner) {
    const [, name = ''] = /:(\w+Id)\b/.exec(path) ?? [];
    const resource = resources[name];
    if (!resource) throw new Error(`The resource of ${path} is unknown: add it to resources.`);
    const ids = await resource.make(visitor.user.organizationId, path);
    const at = (pattern: string, of = ids) => pattern.replaceAll(/:(\w+)/g, (_match, key: string) => of[key] ?? '');
    /** Asks as the form on the visitor's own page does, for a resource of anyone. */
    async function ask(of = ids) {
      if (method === 'get') return await visitor.get(at(path, of));
      const { text } = await visitor.get(at((page as AnyAction).page.path));
      const form = formsOf(text).find(({ action }) => action === `/en${at(path)}`);
      if (!form) throw new Error(`${at((page as AnyAction).page.path)} has no form to ${path}`);
      return await visitor.post(at(path, of), { ...form.hidden, ...fields[path] });
    }
    const read = async () => await resource.read(ids[name]);
    return { ids, ask, read };
  }

  test.each(rows)('%s does not reveal or change resources of other organizations', async (_name, page) => {
    const [own, other] = [await open(page, owner), await open(page, stranger)];
    const before = await own.read();
    expect((await other.ask(own.ids)).status).toBe(404);
    expect(await own.read()).toEqual(before);
    expect([200, 303]).toContain((await own.ask()).status);
  });
});
