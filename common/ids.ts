import { typeid } from 'typeid-js';

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
} as const;

export type IdPrefix = keyof typeof idPrefixes;

/** A new id: the prefix, an underscore and a UUIDv7 in base32, so that ids sort by the time they were made. */
export function newId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  return `${prefix}_${typeid().getSuffix()}`;
}

const suffixPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether `text` could have come from `newId(prefix)`. One that could not is answered like one that does not exist. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && suffixPattern.test(text.slice(prefix.length + 1));
}
