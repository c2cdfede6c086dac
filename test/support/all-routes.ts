import type { AnyRoute } from '../../api/route.ts';
import { routes } from '../../api/routes/index.ts';
import { type IdPrefix, newId } from '../../common/ids.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { aPostalAddress } from './builders.ts';
import type { Sender } from './sender.ts';

/** Every route as a row of `test.each`: `POST /v1/quote` and the route. */
export const routeRows = routes.map((route) => [`${verbOf(route)} ${route.path}`, route] as const);

export function verbOf({ method }: Pick<AnyRoute, 'method'>): string {
  return method.toUpperCase();
}

type Resource = { prefix: IdPrefix; make(owner: Sender): Promise<string> };

/** What an id in a path names, and how to get one; a resource without a row here fails the tests that walk all routes. */
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
      // As if it had been tried: what waits for its first attempt may be in a worker's hands.
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
  addresses: {
    prefix: 'adr',
    make: async ({ http }) => {
      const entry = { kind: 'RECIPIENT', ...aPostalAddress() };
      return (await http.post('/v1/addresses', entry)).body.id;
    },
  },
};

function resourceOf(path: string): Resource {
  const name = path.includes('{deliveryId}') ? 'deliveries' : (path.split('/')[2] ?? '');
  const resource = resources[name];
  if (!resource) throw new Error(`What does the id in ${path} name? Add it to resources.`);
  return resource;
}

/** The path of a route, with the id that is given or one that nobody has; that of a delivery is `wh_…/whd_…`. */
export function pathOf({ path }: Pick<AnyRoute, 'path'>, id?: string): string {
  // A month that has begun everywhere.
  const dated = path.replace('{month}', new Date().toISOString().slice(0, 7));
  if (!dated.includes('{id}')) return dated;
  const [own = '', delivery = newId('whd')] = (id ?? newId(resourceOf(path).prefix)).split('/');
  return dated.replace('{id}', own).replace('{deliveryId}', delivery);
}

/** The bodies that routes with an id need before they look for what it names. */
const bodies: Record<string, () => object> = {
  'PATCH /v1/addresses/{id}': () => ({ city: 'Gent' }),
  'PATCH /v1/webhooks/{id}': () => ({ events: ['MAIL_POSTED'] }),
  'POST /v1/webhooks/{id}/redeliver-failed': () => ({ since: new Date().toISOString() }),
};

/** A request that fits a route, for `client.request`. */
export function requestOf(route: AnyRoute): RequestInit {
  const body = bodies[`${verbOf(route)} ${route.path}`]?.();
  return body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
}

/** Makes what the id of a route names, and returns its id. */
export async function makeResource({ path }: AnyRoute, owner: Sender): Promise<string> {
  return await resourceOf(path).make(owner);
}
