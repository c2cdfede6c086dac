import type { AddressKind, AddressRecord } from '../addresses/address.model.ts';
import { findAddresses } from '../addresses/find-addresses.ts';
import { AppError, type Issue } from '../errors.ts';
import type { Owner } from '../modes.ts';
import type { PostalAddress } from '../organizations/organization.model.ts';
import type { Zone } from '../pricing/tariff.schema.ts';
import { checkRecipient, type MailRequest } from './mail-request.schema.ts';

/** The addresses that go onto a letter; `sender` is null when the request names none. */
export type ResolvedAddresses = { recipients: PostalAddress[]; sender: PostalAddress | null };

type Given = MailRequest['recipients'][number];

/**
 * Copies the entries of the address book that a request refers to; one query for all of them. A recipient is a RECIPIENT
 * entry, the sender a SENDER one. Throws VALIDATION_ERROR that names each entry that is not there or not of that kind,
 * and each recipient whose country is not of the zone.
 */
export async function resolveAddresses(request: MailRequest, owner: Owner): Promise<ResolvedAddresses> {
  const { zone, recipients, sender } = request;
  const all = sender ? [...recipients, sender] : recipients;
  const entries = await findAddresses(
    owner,
    all.flatMap((given) => ('addressId' in given ? [given.addressId] : [])),
  );
  const issues: Issue[] = [];
  const take = (given: Given, kind: AddressKind, path: Issue['path']): PostalAddress[] => {
    // What stands in the request itself was judged with it.
    if (!('addressId' in given)) return [toPostalAddress(given)];
    const entry = entries.get(given.addressId);
    const faults = findFaults(entry, kind, zone);
    issues.push(...faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] })));
    return entry ? [toPostalAddress(entry)] : [];
  };

  const resolved = {
    recipients: recipients.flatMap((given, index) => take(given, 'RECIPIENT', ['recipients', index])),
    sender: sender ? (take(sender, 'SENDER', ['sender'])[0] ?? null) : null,
  };
  if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { issues });

  return resolved;
}

/** A deleted entry, one of somebody else and one that never was are told in the same words. */
function findFaults(entry: AddressRecord | undefined, kind: AddressKind, zone: Zone): Issue[] {
  if (!entry) return [{ path: ['addressId'], message: 'There is no such entry in your address book.' }];
  if (entry.kind !== kind) {
    return [{ path: ['addressId'], message: `This entry is a ${entry.kind}; give a ${kind}.` }];
  }
  return kind === 'RECIPIENT' ? checkRecipient(zone, entry) : [];
}

function toPostalAddress({ name, line1, line2 = null, zip, city, country }: Exclude<Given, { addressId: string }>) {
  return { name, line1, line2, zip, city, country };
}
