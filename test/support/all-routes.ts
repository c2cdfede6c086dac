import type { AnyRoute } from '../../api/route.ts';
import { routes } from '../../api/routes/index.ts';
import { type IdPrefix, newId } from '../../common/ids.ts';
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
  addresses: {
    prefix: 'adr',
    make: async ({ http }) => {
      const entry = { kind: 'RECIPIENT', ...aPostalAddress() };
      return (await http.post('/v1/addresses', entry)).body.id;
    },
  },
};

function resourceOf(path: string): Resource {
  const resource = resources[path.split('/')[2] ?? ''];
  if (!resource) throw new Error(`What does the id in ${path} name? Add it to resources.`);
  return resource;
}

/** The path of a route, with the id that is given or one that nobody has. */
export function pathOf({ path }: Pick<AnyRoute, 'path'>, id?: string): string {
  // A month that has begun everywhere.
  const dated = path.replace('{month}', new Date().toISOString().slice(0, 7));
  return dated.includes('{id}') ? dated.replace('{id}', id ?? newId(resourceOf(dated).prefix)) : dated;
}

/** Makes what the id of a route names, and returns its id. */
export async function makeResource({ path }: AnyRoute, owner: Sender): Promise<string> {
  return await resourceOf(path).make(owner);
}
