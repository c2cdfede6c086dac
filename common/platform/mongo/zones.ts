import mongoose from 'mongoose';
import { withTimeout } from '../batching/with-timeout.ts';

/** Tells which shard holds the rows of an organization. */
export type Zones = {
  /** Reads the zones when they were read too long ago. Returns undefined when there is nothing to wait for. */
  refresh(): Promise<void> | undefined;
  /**
   * Returns the zone of an organization: its rows in all collections are on the shard of that zone. Empty in an unsharded
   * installation, and for an organization in no zone, whose collections may each be on another shard.
   */
  zoneOf(organizationId: string): string;
};

/** Zones of ids: `min` is inclusive, `max` exclusive. */
export type ZoneRange = { min: string; max: string; zone: string };

/** A zone that was moved is noticed after this time. Until then, some transactions need two shards, which is slower. */
const maxAgeMs = 60_000;
/** Letters wait at most this long for the zones. An answer that arrives later is used from then on. */
const readWithinMs = 500;

/**
 * Creates a cached view of the zones of a collection that is sharded by `organizationId`. The first refresh asks whether
 * the installation is sharded. An unsharded one is not asked again. `refresh` never rejects: a failed read leaves the
 * zones as they were, at first none. Wrong zones only make transactions slower.
 */
export function createZones(collection: string): Zones {
  let ranges: readonly ZoneRange[] = [];
  let isSharded: boolean | undefined;
  let readMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      await withTimeout(readRanges(), readWithinMs, () => {});
    } catch {
      // An unreachable database is reported by the commit that follows.
    } finally {
      readMs = performance.now();
      reading = undefined;
    }
  }

  async function readRanges(): Promise<void> {
    isSharded ??= (await mongoose.connection.db?.command({ hello: 1 }))?.msg === 'isdbgrid';
    if (isSharded) ranges = await readZoneRanges(`${mongoose.connection.name}.${collection}`);
  }

  return {
    refresh() {
      if (isSharded === false || performance.now() - readMs < maxAgeMs) return undefined;
      reading ??= read();
      return reading;
    },
    zoneOf: (organizationId) => findZone(ranges, organizationId),
  };
}

type TagRow = { ns: string; tag: string; min: { organizationId: unknown }; max: { organizationId: unknown } };

/** Reads the zone ranges of a namespace, `<database>.<collection>`, as `sh.updateZoneKeyRange` stores them. */
export async function readZoneRanges(namespace: string): Promise<ZoneRange[]> {
  const tags = mongoose.connection.getClient().db('config').collection<TagRow>('tags');
  const rows = await tags.find({ ns: namespace }).sort({ min: 1 }).toArray();
  return rows.map(({ tag, min, max }) => ({
    zone: tag,
    min: textOf(min.organizationId),
    max: textOf(max.organizationId),
  }));
}

/** Above all ids. MinKey is the empty text, below all. */
const lastText = '\u{10ffff}';
const textOf = (bound: unknown): string =>
  typeof bound === 'string' ? bound : bound instanceof mongoose.mongo.MaxKey ? lastText : '';

/** Returns the zone of an id, empty when no range holds it. */
export function findZone(ranges: readonly ZoneRange[], id: string): string {
  return ranges.find(({ min, max }) => min <= id && id < max)?.zone ?? '';
}
