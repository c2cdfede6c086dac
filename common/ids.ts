import { randomFillSync } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';

/** What each id prefix names. The first three come from the specification, the rest are ours. */
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
  ntc: 'notice to an organization',
  aud: 'entry of the audit log',
} as const;

export type IdPrefix = keyof typeof idPrefixes;

/** A new id: the prefix, an underscore and a UUIDv7 in base32, so that ids sort by the time they were made. */
export function newId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  return `${prefix}_${typeid().getSuffix()}`;
}

/** What was made last by `newIdAt`: the millisecond, and how many were made in it. */
let latest = { ms: 0, count: 0 };
const maxCount = 0xfff;
const uuidBytes = 16;
/** Random bytes for many ids: asking for them costs more than having them. */
const random = { pool: Buffer.alloc(256 * uuidBytes), usedBytes: 256 * uuidBytes };

/** Bytes that nobody else gets, to be used before the next ones are taken. */
function takeRandomBytes(): Buffer {
  if (random.usedBytes === random.pool.length) {
    randomFillSync(random.pool);
    random.usedBytes = 0;
  }
  random.usedBytes += uuidBytes;
  return random.pool.subarray(random.usedBytes - uuidBytes, random.usedBytes);
}

/**
 * A new id that carries the time `at`, so that a range of times is a range of ids. Ids of one millisecond sort in the
 * order in which this process made them, up to 4,096 of them.
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

/** The lowest id that one made at `at` can have. */
export function firstIdAt<P extends IdPrefix>(prefix: P, at: Date): `${P}_${string}` {
  const bytes = Buffer.alloc(uuidBytes);
  // Before 1970 there are no ids.
  bytes.writeUIntBE(Math.max(0, at.getTime()), 0, 6);
  return `${prefix}_${suffixOf(bytes)}`;
}

function suffixOf(bytes: Uint8Array): string {
  return TypeID.fromUUIDBytes('', bytes).getSuffix();
}

const suffixPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether `text` could have come from `newId(prefix)`. One that could not is answered like one that does not exist. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && suffixPattern.test(text.slice(prefix.length + 1));
}

/** When an id was made, to the millisecond: what a UUIDv7 begins with. */
export function timeOfId(id: string): Date {
  const uuid = TypeID.fromString(id).toUUID();
  return new Date(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16));
}
