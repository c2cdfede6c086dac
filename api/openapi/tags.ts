import type { AnyRoute } from '../route.ts';

type Tag = { name: string; description: string };

/** The groups of the documentation, in its order, by the first part of a path after the version. */
const tags: Record<string, Tag> = {
  quote: { name: 'Prices', description: 'What a letter costs, VAT included, before it is sent.' },
  uploads: {
    name: 'Uploads',
    description:
      'Documents go to the object store directly: ask for an address, PUT the file there with exactly the headers that ' +
      'come with it, and name its `s3Key` in a mail job within 24 hours.',
  },
  mails: {
    name: 'Mail jobs',
    description:
      'A mail job is one letter to 1 to 100 recipients. It goes from `queued` over `printed` and `posted`, a registered ' +
      'one to `delivered`; `failed` says why, and its money is back in the wallet.',
  },
  addresses: { name: 'Address book', description: 'Senders and recipients that are used again.' },
  webhooks: { name: 'Webhooks', description: 'Addresses of yours to which we report what happens to mail jobs.' },
  events: {
    name: 'Event log',
    description:
      'What happened to mail jobs, whether a webhook was told or not; and the same as a stream, for a machine that no webhook can reach.',
  },
  wallet: { name: 'Wallet', description: 'The prepaid balance that letters are paid from.' },
};

/** The group of what we send to webhooks. */
export const eventTag: Tag = {
  name: 'Events',
  description:
    'What a webhook receives. Check the signature over the raw body before anything else, answer 200 to 299 within 15 ' +
    'seconds, and do the work afterwards. An event may come more than once and in any order: drop repeats by `event` ' +
    'and `mailJobId`.',
};

/** The group of the OAuth routes. */
export const oauthTag: Tag = {
  name: 'Applications',
  description:
    'OAuth 2.0, Authorization Code with PKCE, for an application that acts for several customers: send the user to the ' +
    'authorize page, and exchange the code that comes back here. `/.well-known/oauth-authorization-server` tells a ' +
    'library all it needs.',
};

export const allTags: readonly Tag[] = [...Object.values(tags), oauthTag, eventTag];

/** The group of a route. Throws for a path that has none, so that none is forgotten. */
export function tagOf({ path }: Pick<AnyRoute, 'path'>): Tag {
  const tag = tags[path.split('/')[2] ?? ''];
  if (!tag) throw new Error(`${path} has no group in the documentation: add one to the tags`);
  return tag;
}
