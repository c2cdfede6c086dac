/**
 * Where each collection lives in a sharded cluster. Nothing here runs in an unsharded installation, which is the usual
 * one. It is the source of the commands in `scripts/deploy/capacity.md`, and tests hold indexes and statements to it, so
 * that sharding stays possible.
 *
 * Most keys are the organization, so that zones can keep all of its rows on one shard: the transaction of a letter
 * (wallet, ledger, job, event, history) then commits on one shard. The id of a wallet starts with its organization, so
 * the boundaries of zones are the same for `walletId`.
 */
export type Placement =
  | { readonly key: Readonly<Record<string, 1 | 'hashed'>> }
  /** It stays on the primary shard of the database, for this reason. */
  | { readonly unsharded: string };

const byOrganization: Placement = { key: { organizationId: 1 } };
const small = (what: string): Placement => ({ unsharded: `Small: ${what}.` });
const global = (why: string): Placement => ({ unsharded: `Of all organizations: ${why}.` });
const shortLived = (why: string): Placement => ({ unsharded: `Short-lived: ${why}.` });

/** The placement of every collection, by name. */
export const placements: Readonly<Record<string, Placement>> = {
  // What grows with the letters, and is written in their transactions.
  mail_jobs: byOrganization,
  wallets: byOrganization,
  ledger_entries: { key: { walletId: 1 } },
  events: byOrganization,
  item_history: byOrganization,
  uploads: byOrganization,
  // What grows with the letters, outside their transactions.
  deliveries: byOrganization,
  // Ids grow with time: a range would send all new attempts to one shard.
  delivery_attempts: { key: { deliveryId: 'hashed' } },
  // Claimed by id alone, by hints that carry nothing else.
  endpoints: { key: { _id: 1 } },
  bulk_rows: { key: { _id: 1 } },
  addresses: byOrganization,

  returned_items: small('a row for each letter that came back, one in a hundred'),
  bulks: small('a row for each list of letters'),
  storage_use: small('two rows for each organization'),
  webhooks: small('at most some hundred for each organization'),
  drafts: small('letters that users are writing'),
  templates: small('written by hand'),
  template_versions: small('written by hand'),
  letterheads: small('one for each organization'),
  sandbox_clocks: small('made by hand, and deleted after a time'),
  organizations: small('a row for each customer'),
  users: small('people, unique by e-mail address'),
  sessions: small('people who are signed in'),
  password_resets: shortLived('minutes, unique by user'),
  spent_tokens: shortLived('looked up by its hash alone'),
  failed_sign_ins: shortLived('counted by account'),
  api_keys: small('looked up by its id alone, and cached'),
  oauth_clients: small('applications'),
  oauth_grants: small('looked up by the hash of a token alone'),
  notices: small('unique by a key, some a month for each organization'),
  preflights: shortLived('24 h, unique by a hash of the files'),
  letter_settings: shortLived('20 h, unique by a hash of the request'),
  idempotency_keys: shortLived('24 h, unique by a hash of owner and key'),
  temporary_objects: shortLived('hours, until the object is removed'),
  batches: global('a batch holds the letters of many'),
  press_jobs: global('jobs of the print system'),
  tracking_ranges: global('numbers that the operator bought'),
  tariffs: global('prices'),
  audit_entries: global('read by time, a row for each action of a person'),
  origins: global('permits of a receiving server, shared by all that post to it'),
  chores: global('a dozen rows'),
  pauses: global('some hundred rows at most, read together'),
  leases: global('a dozen rows that are written often'),
  migrations: global('a row for each migration'),
};

/** Unique rules that no shard can keep alone. Sharding their collection has to wait until another rule replaces them. */
export const unshardableRules: readonly { collection: string; index: string; why: string }[] = [
  {
    collection: 'mail_jobs',
    index: 'trackingNumbers_1',
    why: 'A tracking number is on one item of all organizations.',
  },
];
