import { placements } from '#common/schema/shard-keys.ts';
import type { Profiled } from './profiler.ts';

/** A statement that a router would send to every shard. `shape`: the fields that it asks for, without their values. */
type Scattered = { collection: string; op: string; shape: string };

type Filter = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Returns whether a condition leaves some values only, not all of a range. A range of ids names the shards of a range. */
function isTargeting(field: string, condition: unknown): boolean {
  if (!isObject(condition)) return condition !== undefined;
  const operators = Object.keys(condition);
  if (field === '_id' && operators.includes('$gt') && operators.some((name) => name.startsWith('$lt'))) return true;
  return operators.includes('$in') || operators.includes('$eq');
}

function namesShard(filter: Filter, fields: readonly string[]): boolean {
  const all = [filter, ...((filter.$and as Filter[] | undefined) ?? [])];
  const some = filter.$or as Filter[] | undefined;
  if (some?.every((each) => namesShard(each, fields))) return true;
  return fields.every((field) => all.some((each) => isTargeting(field, each[field])));
}

/** Returns the filters of a profiled command, null for a command that has none, such as an insert. */
function filtersOf({ op, command = {} }: Profiled): Filter[] | null {
  const { q, filter, query, pipeline } = command as Record<string, Filter | undefined>;
  if (op === 'update' || op === 'remove') return [q ?? {}];
  if (op === 'query') return [filter ?? {}];
  if (op !== 'command') return null;
  if ('findAndModify' in command || 'findandmodify' in command || 'count' in command || 'distinct' in command) {
    return [query ?? {}];
  }
  if (!('aggregate' in command) || !Array.isArray(pipeline)) return null;
  const [first] = pipeline as Filter[];
  if (first && '$changeStream' in first) return null;
  return [(first?.$match as Filter | undefined) ?? {}];
}

/** Returns the collections that a pipeline joins by a field that is not their shard key. */
function badLookups(command: Profiled['command']): string[] {
  const stages = Array.isArray(command?.pipeline) ? (command.pipeline as Filter[]) : [];
  return stages.flatMap(({ $lookup }) => {
    const { from = '', foreignField } = ($lookup ?? {}) as { from?: string; foreignField?: string };
    const fields = shardFieldsOf(from);
    return fields && fields[0] !== foreignField ? [from] : [];
  });
}

/** Returns the fields of the shard key of a collection, null for a collection that is not sharded. */
function shardFieldsOf(collection: string): string[] | null {
  const placement = placements[collection];
  return placement && 'key' in placement ? Object.keys(placement.key) : null;
}

/** Returns the statements that do not name a shard, each shape once. */
function scatteredOf(profiled: readonly Profiled[]): Scattered[] {
  const found = profiled.flatMap((entry): Scattered[] => {
    const collection = entry.ns.slice(entry.ns.indexOf('.') + 1);
    const fields = shardFieldsOf(collection);
    const isScattered = fields && filtersOf(entry)?.some((filter) => !namesShard(filter, fields));
    const own = isScattered ? [{ collection, op: nameOf(entry), shape: shapeOf(entry) }] : [];
    const joined = badLookups(entry.command).map((from) => ({
      collection: from,
      op: '$lookup',
      shape: `joined to ${collection}`,
    }));
    return [...own, ...joined];
  });
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
}

const nameOf = ({ op, command = {} }: Profiled): string => (op === 'command' ? (Object.keys(command)[0] ?? op) : op);

function shapeOf(entry: Profiled): string {
  const { min, max } = (entry.command ?? {}) as { min?: Filter; max?: Filter };
  const bounds = min && max ? Object.keys(min).map((field) => `${field} between`) : [];
  // An id, or some, is what a worker names. A range of ids is what a chore walks through.
  const name = (field: string, condition: unknown) =>
    field === '_id' && (typeof condition === 'string' || isTargeting('', condition)) ? 'some _id' : field;
  const filters = filtersOf(entry) ?? [];
  const fields = filters.flatMap((filter) => Object.entries(filter).map(([field, value]) => name(field, value)));
  const { readConcern, autocommit } = (entry.command ?? {}) as { readConcern?: Filter; autocommit?: false };
  // Outside a transaction: reconciliation reads so.
  const concern = readConcern?.level === undefined || autocommit === false ? '' : ` (${readConcern.level})`;
  return [...bounds, ...fields].toSorted().join(', ') + concern;
}

/** Statements that may ask every shard, and why. `shape` as in `Scattered`. */
export const allowedScatter: readonly { collection: string; shapes: readonly string[]; why: string }[] = [
  {
    collection: 'mail_jobs',
    shapes: ['render', 'slowRender', 'step', 'batch'].map((kind) => `_id between, due.${kind}.at between`),
    why: 'the scanner: one process, one range of an index on each shard',
  },
  {
    collection: 'mail_jobs',
    shapes: ['some _id'],
    why: 'the scanner: the organizations of letters whose messages wait, which it knows by id only (`readOrganizations`)',
  },
  { collection: 'events', shapes: ['_id between, due.at between'], why: 'the scanner, as above' },
  { collection: 'endpoints', shapes: ['_id between, due.at between'], why: 'the scanner, as above' },
  {
    collection: 'events',
    shapes: ['$expr, due.at (majority)'],
    why: 'fan-out: a thousand events of any organizations per read, and one process finds them',
  },
  {
    collection: 'mail_jobs',
    shapes: ['printFile.removeAt', 'retention.documentsFrom', 'retention.addressesFrom'],
    why: 'a chore: removal of old data',
  },
  { collection: 'uploads', shapes: ['$or, removal.nextAt, usableUntil'], why: 'a chore: removal of expired uploads' },
  { collection: 'wallets', shapes: ['$expr, lowBalanceCents, lowSince'], why: 'a chore: low balances, once a minute' },
  {
    collection: 'mail_jobs',
    shapes: ['$expr, due.batch.at (majority)', 'closesAt, due.batch.at', 'batchId', 'batchId, items.status'],
    why: 'a batch: it holds letters of many organizations',
  },
  {
    collection: 'deliveries',
    shapes: ['', 'endpointId', 'joined to deliveries'],
    why: 'a chore: forgotten endpoints, once an hour',
  },
  { collection: 'wallets', shapes: ['_id (majority)'], why: 'reconciliation: all wallets in the order of their ids' },
  {
    collection: 'ledger_entries',
    shapes: ['walletId (majority)', 'mailJobId (snapshot)'],
    why: 'reconciliation: all entries, also of wrong wallets',
  },
  {
    collection: 'mail_jobs',
    shapes: ['_id (snapshot)', 'some _id (majority)', 'batchId (snapshot)'],
    why: 'reconciliation: all letters, and those of each batch',
  },
];

/** Returns the statements that ask every shard without being allowed to. Reads only: a write always names its shard. */
export function forbiddenOf(profiled: readonly Profiled[]): Scattered[] {
  const mayScatter = ({ collection, op, shape }: Scattered) =>
    ['query', 'aggregate', '$lookup'].includes(op) &&
    allowedScatter.some((allowed) => allowed.collection === collection && allowed.shapes.includes(shape));
  return scatteredOf(profiled).filter((each) => !mayScatter(each));
}
