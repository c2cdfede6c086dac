import mongoose from 'mongoose';

/** One entry of MongoDB's profiler. */
export type Profiled = {
  ns: string;
  op: string;
  planSummary?: string;
  hasSortStage?: boolean;
  docsExamined?: number;
  keysExamined?: number;
  nreturned?: number;
  command?: Record<string, unknown>;
  /** The command that opened the cursor, of a getMore. */
  originatingCommand?: { pipeline?: Record<string, unknown>[] };
};

/** Enough for every operation of a test file. By default, the server keeps only a megabyte. */
const profileBytes = 64 * 1024 * 1024;

/** Records every operation on this world's database from now on. */
export async function startProfiling(): Promise<void> {
  const { db } = mongoose.connection;
  const isThere = (await db?.listCollections({ name: 'system.profile' }).toArray())?.length === 1;
  if (!isThere) await db?.createCollection('system.profile', { capped: true, size: profileBytes });
  await db?.command({ profile: 2 });
}

/** Returns the operations that scanned a whole collection, which no operation of the product may do. */
export function scansOf(profiled: readonly Profiled[]): string[] {
  const scans = profiled.filter(
    ({ ns, planSummary = '' }) => /COLLSCAN/.test(planSummary) && !/system.profile$/.test(ns),
  );
  return scans.map(({ ns, command }) => `${ns} ${JSON.stringify(command)}`);
}

type Filter = Readonly<Record<string, unknown>>;

/** Returns whether a filter leaves only some values of one of the fields, not a range of them. */
function fixes({ $and, $or, ...filter }: Filter, fields: readonly string[]): boolean {
  const isFixed = (condition: unknown) =>
    condition !== undefined &&
    !(condition instanceof Object && Object.keys(condition).some((name) => /^\$(?!in$|eq$)/.test(name)));
  const all = ($and ?? []) as readonly Filter[];
  const some = ($or ?? []) as readonly Filter[];
  return (
    fields.some((field) => isFixed(filter[field])) ||
    all.some((each) => fixes(each, fields)) ||
    (some.length > 0 && some.every((each) => fixes(each, fields)))
  );
}

/** Returns what reads an index across all organizations: no condition names one, or fixes the index's first field. */
export function findReadsOfAll(profiled: readonly Profiled[]): string[] {
  const reads = profiled.flatMap(({ ns, op, planSummary = '', command = {} }) => {
    const { q, filter, query, pipeline, readConcern, autocommit } = command as Record<string, Filter | undefined>;
    const conditions = q ?? filter ?? query ?? (pipeline as Filter[] | undefined)?.[0]?.$match ?? {};
    const firsts = [...planSummary.matchAll(/SCAN \{ ([\w.]+):/g)].map(([, field = '']) => field);
    if (op === 'getmore' || firsts.length === 0 || fixes(conditions as Filter, ['organizationId', ...firsts]))
      return [];
    // Outside a transaction: reconciliation reads so.
    const concern = readConcern?.level && autocommit === undefined ? ` (${readConcern.level})` : '';
    return firsts.map((field) => `${ns.slice(ns.indexOf('.') + 1)} by ${field}${concern}`);
  });
  return [...new Set(reads)].toSorted();
}

/** Stops the profiler. Returns all entries since the first start, oldest first. */
export async function stopProfiling(): Promise<Profiled[]> {
  await mongoose.connection.db?.command({ profile: 0 });
  return await mongoose.connection.collection<Profiled>('system.profile').find().toArray();
}
