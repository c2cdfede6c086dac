import type { AnyRoute } from '../route.ts';

type Tag = { name: string; description: string };

/** The groups of the documentation in display order, by the first path segment after the version. */
const tags: Record<string, Tag> = {
  quote: { name: 'Prices', description: 'The price of a letter, including VAT, before you send it.' },
  uploads: {
    name: 'Uploads',
    description:
      'Documents are uploaded directly to the object store. Request an upload URL, PUT the file there with exactly the ' +
      'returned headers, then use its `s3Key` in a mail job within 24 hours.',
  },
  preflight: {
    name: 'Checks',
    description: 'What would go wrong on paper, before a letter is sent. Free of charge.',
  },
  mails: {
    name: 'Mail jobs',
    description:
      'A mail job is one letter to 1 to 100 recipients. It moves from `queued` to `printed` and `posted`. Registered ' +
      'letters also reach `delivered`. A `failed` job states the reason, and its price is refunded to the wallet.',
  },
  sandbox: {
    name: 'Sandbox',
    description:
      'Test the bad days, with a test key only. The guide to the sandbox lists the recipients (`sandbox:…`) whose copies fail or come back, and the header `Bluejay-Sandbox`, which refuses a request. Test clocks move the time of sets of letters.',
  },
  bulk: {
    name: 'Bulk',
    description:
      'A list of letters in a CSV or XLSX file with one document, or a ZIP of PDFs with an index. Every row is checked and ' +
      'priced first. After one confirmation the rows become mail jobs in the background, with the `externalId` ' +
      '`<bulk ID>:<row>`.',
  },
  items: {
    name: 'Copies',
    description: 'A letter has one copy (item) per recipient. Here are those that came back.',
  },
  templates: {
    name: 'Templates',
    description:
      'Letters with variables, in place of files. They are typeset with the letterhead of your organization, and with hyphenation in English, French, Dutch or German.',
  },
  calendar: {
    name: 'Calendar',
    description: 'The cutoffs of each service, and the days without post. It shows with which cutoff a letter will go.',
  },
  addresses: { name: 'Address book', description: 'Reusable senders and recipients.' },
  webhooks: { name: 'Webhooks', description: 'Endpoints of yours that we notify of events.' },
  events: {
    name: 'Event log',
    description:
      'All events of your mail jobs, whether or not a webhook received them. Also available as a stream for systems that cannot receive webhooks.',
  },
  me: { name: 'Caller', description: 'Whose credential a request has, and what it may do.' },
  wallet: { name: 'Wallet', description: 'The prepaid balance that pays for letters.' },
  reports: { name: 'Reports', description: 'Figures about your letters, for tables and charts. As JSON or CSV.' },
};

/** The group of the webhook requests. */
export const eventTag: Tag = {
  name: 'Events',
  description:
    'The requests that webhooks receive. First verify the signature over the raw body. Respond with 200 to 299 within ' +
    '15 seconds and process the event afterwards. Events can arrive more than once and in any order. Deduplicate them ' +
    'by `event` and `mailJobId`, `ITEM_RETURNED` by `event` and `itemId`, and `BULK_COMPLETED` by `event` and `bulkId`. A webhook gets the kinds that it names.',
};

/** The group of the OAuth routes. */
export const oauthTag: Tag = {
  name: 'Applications',
  description:
    'OAuth 2.0 Authorization Code with PKCE, for applications that act for several customers. Send the user to the ' +
    'authorize page, then exchange the returned code here. Libraries can configure themselves from ' +
    '`/.well-known/oauth-authorization-server`.',
};

export const allTags: readonly Tag[] = [...Object.values(tags), oauthTag, eventTag];

/** Returns the group of a route. Throws for a path without one. */
export function tagOf({ path }: Pick<AnyRoute, 'path'>): Tag {
  const tag = tags[path.split('/')[2] ?? ''];
  if (!tag) throw new Error(`${path} has no group in the documentation. Add one to the tags.`);
  return tag;
}
