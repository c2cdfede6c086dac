import { createHash, randomFillSync } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';

/** The resource of each id prefix. The first three come from the specification, the rest are ours. */
export const idPrefixes = {
  mj: 'mail job',
  adr: 'address book entry',
  wh: 'webhook',
  org: 'organization',
  usr: 'user',
  evt: 'event',
  whd: 'delivery',
  txn: 'ledger entry',
  tar: 'tariff',
  mi: 'item: the copy for one recipient',
  bat: 'batch of items for the press',
  pf: 'preflight',
  drf: 'draft of a letter',
  blk: 'bulk',
  tpl: 'template',
  set: 'letter to be typeset from a template',
  clk: 'test clock',
  ntc: 'notice to an organization',
  aud: 'entry of the audit log',
} as const;

export type IdPrefix = keyof typeof idPrefixes;

/** Creates an id: prefix, underscore and a UUIDv7 in base32. Ids sort by creation time. */
export function newId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  return `${prefix}_${typeid().getSuffix()}`;
}

/** The last millisecond that `newIdAt` used, and the number of further ids created in it. */
let latest = { ms: 0, count: 0 };
const maxCount = 0xfff;
const uuidBytes = 16;
/** A pool of random bytes: one call for many ids costs less than one per id. */
const random = { pool: Buffer.alloc(256 * uuidBytes), usedBytes: 256 * uuidBytes };

/** Returns unused bytes of the pool. The caller must use them before the next call, which may refill the pool. */
function takeRandomBytes(): Buffer {
  if (random.usedBytes === random.pool.length) {
    randomFillSync(random.pool);
    random.usedBytes = 0;
  }
  random.usedBytes += uuidBytes;
  return random.pool.subarray(random.usedBytes - uuidBytes, random.usedBytes);
}

/**
 * Creates an id with the time `at`, so a time range is an id range. Ids of one millisecond sort in creation order
 * within this process, up to 4,096 of them.
 */
export function newIdAt<P extends IdPrefix>(prefix: P, at: Date): `${P}_${string}` {
  const ms = at.getTime();
  latest = { ms, count: ms === latest.ms ? Math.min(latest.count + 1, maxCount) : 0 };
  const bytes = takeRandomBytes();
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | latest.count, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return `${prefix}_${suffixOf(bytes)}`;
}

/** Returns the lowest possible id with the time `at`. */
export function firstIdAt<P extends IdPrefix>(prefix: P, at: Date): `${P}_${string}` {
  const bytes = Buffer.alloc(uuidBytes);
  // No id is from before 1970.
  bytes.writeUIntBE(Math.max(0, at.getTime()), 0, 6);
  return `${prefix}_${suffixOf(bytes)}`;
}

/** Returns an id that depends on nothing but `content`. */
export function idOfContent<P extends IdPrefix>(prefix: P, content: string): `${P}_${string}` {
  return `${prefix}_${suffixOf(createHash('sha256').update(content).digest().subarray(0, uuidBytes))}`;
}

/** Returns a key of something that is kept for the resource `id`. */
export function keyWithin(id: string, key: string): string {
  return `${id}:${key}`;
}

/** Returns the range of all keys that `keyWithin` makes for a resource. */
export function keysWithin(id: string): { $gt: string; $lt: string } {
  return { $gt: `${id}:`, $lt: `${id};` };
}

function suffixOf(bytes: Uint8Array): string {
  return TypeID.fromUUIDBytes('', bytes).getSuffix();
}

const rowDigits = 7;

/** Returns the id of a row of a bulk. Ids of one bulk sort by row number. */
export function bulkRowId(bulkId: string, rowNumber: number): string {
  return `${bulkId}:${String(rowNumber).padStart(rowDigits, '0')}`;
}

const suffixPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns whether `text` has the form of `newId(prefix)`. Callers treat a malformed id like an unknown one. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && suffixPattern.test(text.slice(prefix.length + 1));
}

/** Returns the creation time in an id (UUIDv7, RFC 9562), in milliseconds. */
export function timeOfId(id: string): Date {
  const uuid = TypeID.fromString(id).toUUID();
  return new Date(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16));
}
