import type { AnyRoute } from '#api/route.ts';
import { routes } from '#api/routes/index.ts';
import { Bulk, type BulkRecord, type BulkState } from '#common/bulk/model/bulk.model.ts';
import { findRowLetter } from '#common/bulk/preview/row-letter.ts';
import { plusMs } from '#common/clock.ts';
import { Event } from '#common/events/event.model.ts';
import { type IdPrefix, keyWithin, newId } from '#common/ids.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { Preflight } from '#common/mail-jobs/preflight/preflight.model.ts';
import { startPreflight } from '#common/mail-jobs/preflight/start-preflight.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { TemporaryObject } from '#common/platform/s3/temporary-object.model.ts';
import { startTypesetJob } from '#common/templates/start-typeset-job.ts';
import { TypesetJob } from '#common/templates/typeset-job.model.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { aSendableBulk, insertBulk } from '../bulk/a-bulk.ts';
import { aPostalAddress, type Sender } from './customer.ts';

/** All routes as rows of `test.each`: `POST /v1/quote` and the route. */
export const routeRows = routes.map((route) => [`${verbOf(route)} ${route.path}`, route] as const);

export function verbOf({ method }: Pick<AnyRoute, 'method'>): string {
  return method.toUpperCase();
}

type Resource = { prefix: IdPrefix; make(owner: Sender): Promise<string> };

/** The resources named by ids in paths. A missing resource fails the tests that walk all routes. */
const resources: Record<string, Resource> = {
  mails: { prefix: 'mj', make: async (owner) => (await owner.send()).body.mailJobId },
  webhooks: {
    prefix: 'wh',
    make: async ({ http }) => {
      const webhook = { url: 'https://127.0.0.1/x', events: ['MAIL_FAILED'] };
      return (await http.post('/v1/webhooks', webhook)).body.id;
    },
  },
  deliveries: {
    prefix: 'wh',
    make: async (owner) => {
      const webhookId = (await resources.webhooks?.make(owner)) ?? '';
      const { deliveryId } = (await owner.http.post(`/v1/webhooks/${webhookId}/ping`)).body;
      // Marks it as attempted, because a worker may hold a delivery that waits for its first attempt.
      await Delivery.updateOne({ _id: deliveryId }, { state: 'failed', nextAttemptAt: null });
      return `${webhookId}/${deliveryId}`;
    },
  },
  events: {
    prefix: 'evt',
    make: async (owner) => {
      const { mailJobId } = (await owner.send()).body;
      return (await Event.findOne({ subjectId: mailJobId }).orFail().lean())._id;
    },
  },
  copies: {
    prefix: 'mj',
    // Of a letter that is not rendered, with copies that are in the object store already.
    make: async (owner) => {
      const { mailJobId, recipients } = (await owner.send()).body;
      const sha256 = 'f'.repeat(64);
      const [{ itemId }] = recipients;
      const now = new Date();
      const placed = { scheme: 'window-left', placement: 'page' } as const;
      const printFile = { s3Key: 'none', sha256, sizeBytes: 1, pageCount: 1, renderedAt: now, ...placed };
      await MailJob.updateOne({ _id: mailJobId }, { $set: { printFile, 'items.0.copySha256': sha256 } });
      for (const name of ['proof', 'picture 1']) {
        const row = { _id: newId('mi'), name: keyWithin(mailJobId, `${name} ${itemId} ${sha256}`), storedAt: now };
        await TemporaryObject.create({ ...row, removeAt: plusMs(now, 3_600_000) });
      }
      return mailJobId;
    },
  },
  rows: {
    prefix: 'blk',
    // With the proof of its row in the object store already, as a world without workers renders nothing.
    make: async (owner) => {
      const bulkId = await aSendableBulk(owner, 1);
      const bulk = await Bulk.findById(bulkId).orFail().lean<BulkRecord>();
      await Upload.updateMany({ _id: { $in: bulk.files.map(({ s3Key }) => s3Key) } }, { etag: '"1"' });
      const deps = { hints: { notify() {} }, maxStoredBytes: {}, store: {}, envelopeWindow: 'left' } as never;
      const [now, sha256] = [new Date(), 'f'.repeat(64)];
      const files = bulk.files.map(({ s3Key }) => ({ s3Key }));
      const request = { files, serviceType: 'standard', color: false, keptFor: bulkId } as const;
      const placed = { scheme: 'window-left', placement: 'page' } as const;
      const printFile = { s3Key: 'none', sha256, sizeBytes: 1, pageCount: 1, renderedAt: now, ...placed };
      const result = { facts: null, placement: null, findings: [], overlayKey: null, printFile };
      await Preflight.updateOne({ _id: (await startPreflight(bulk, request, deps, now))._id }, { result });
      const [item] = (await findRowLetter(bulk, 2, deps, now)).items;
      const row = { _id: newId('mi'), name: keyWithin(bulkId, `proof ${item?.itemId} ${sha256}`), storedAt: now };
      await TemporaryObject.create({ ...row, removeAt: plusMs(now, 3_600_000) });
      return bulkId;
    },
  },
  preflight: {
    prefix: 'pf',
    // Written directly: a world without workers would let the request wait for its result.
    make: async ({ organizationId, mode }) => {
      const _id = newId('pf');
      const rest = { scheme: 'window-left', coverPages: 'auto', due: {} } as const;
      await Preflight.create({ _id, organizationId, mode, key: _id, ...rest, expiresAt: plusMs(new Date(), 60_000) });
      return _id;
    },
  },
  templates: {
    prefix: 'tpl',
    // With its letter, because a world without workers would let a preview wait for it.
    make: async ({ organizationId, mode, http }) => {
      const template = { name: 'Walk', language: 'en', text: `Hello ${newId('tpl')}` } as const;
      const deps = { hints: { notify() {} } as unknown as Hints, maxStoredBytes: 1e9 };
      const source = { ...template, variables: {} };
      const { _id } = await startTypesetJob({ organizationId, mode }, source, deps, new Date());
      const result = { s3Key: 'u/none', pageCount: 1, sizeBytes: 1, fault: null, isOurFault: false };
      await TypesetJob.updateOne({ _id }, { $set: { result } });
      return (await http.post('/v1/templates', template)).body.templateId;
    },
  },
  sandbox: {
    prefix: 'clk',
    make: async ({ http }) => (await http.post('/v1/sandbox/clocks', { now: new Date().toISOString() })).body.clockId,
  },
  addresses: {
    prefix: 'adr',
    make: async ({ http }) => {
      const entry = { kind: 'RECIPIENT', ...aPostalAddress() };
      return (await http.post('/v1/addresses', entry)).body.id;
    },
  },
};

/** Bulks in the state that a route needs, by the last segment of its path. */
function bulkFor(route: string): Resource {
  const state = { pause: 'sending', resume: 'paused' }[route] ?? 'ready';
  const make: Resource['make'] = async (owner) => {
    return await insertBulk(owner, { state: state as BulkState, credentialId: owner.keyId });
  };
  return { prefix: 'blk', make };
}

const settledLetters: Resource = {
  prefix: 'mj',
  make: async (owner) => {
    const { mailJobId } = (await owner.send()).body;
    await MailJob.updateOne({ _id: mailJobId }, { $set: { status: 'posted', 'items.0.status': 'posted' } });
    return mailJobId;
  },
};

function resourceOf(path: string): Resource {
  const isOfCopy = /^\/v1\/mails\/.*\/(proof|preview)$/.test(path);
  if (path.endsWith('/redact')) return settledLetters;
  if (path.startsWith('/v1/bulk/') && !path.includes('{row}')) return bulkFor(path.split('/').at(-1) ?? '');
  const [, ofPart] = /\{(deliveryId|row)\}/.exec(path) ?? [];
  const name = isOfCopy
    ? 'copies'
    : ({ deliveryId: 'deliveries', row: 'rows' }[ofPart ?? ''] ?? path.split('/')[2] ?? '');
  const resource = resources[name];
  if (!resource) throw new Error(`The resource of the id in ${path} is unknown: add it to resources.`);
  return resource;
}

/** Returns the path of a route with the given id, or with one that does not exist. A delivery has `wh_…/whd_…`. */
export function pathOf({ path }: Pick<AnyRoute, 'path'>, id?: string): string {
  // The current month in UTC, which has begun in Brussels.
  const dated = path.replace('{month}', new Date().toISOString().slice(0, 7));
  if (!dated.includes('{id}')) return dated;
  const [own = '', delivery = newId('whd')] = (id ?? newId(resourceOf(path).prefix)).split('/');
  return dated.replace('{id}', own).replace('{deliveryId}', delivery).replace('{row}', '2');
}

/** Valid bodies of routes that check the body before they look up the id. */
const bodies: Record<string, () => object> = {
  'POST /v1/sandbox/trigger': () => ({ event: 'MAIL_POSTED' }),
  'POST /v1/sandbox/clocks/{id}/advance': () => ({ to: plusMs(new Date(), 3_600_000).toISOString() }),
  'POST /v1/sandbox/clocks': () => ({ now: new Date().toISOString() }),
  'PATCH /v1/addresses/{id}': () => ({ city: 'Gent' }),
  'PATCH /v1/mails/{id}': () => ({ metadata: { invoice: '1' } }),
  'POST /v1/bulk/{id}/mapping': () => ({ mapping: {} }),
  'PATCH /v1/webhooks/{id}': () => ({ events: ['MAIL_POSTED'] }),
  'PATCH /v1/templates/letterhead': () => ({ footerLines: ['Walk'] }),
  'PATCH /v1/templates/{id}': () => ({ name: 'Other' }),
  'POST /v1/templates/{id}/preview': () => ({}),
  'POST /v1/webhooks/{id}/redeliver-failed': () => ({ since: new Date().toISOString() }),
};

/** Returns a valid request to a route, for `client.request`. */
export function requestOf(route: AnyRoute): { body?: string; headers?: Record<string, string> } {
  const body = bodies[`${verbOf(route)} ${route.path}`]?.();
  return body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
}

/** Creates the resource that the id of a route names, and returns its id. */
export async function makeResource({ path }: AnyRoute, owner: Sender): Promise<string> {
  return await resourceOf(path).make(owner);
}
