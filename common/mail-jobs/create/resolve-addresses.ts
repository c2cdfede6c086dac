import type { AddressKind, AddressRecord } from '#common/addresses/address.model.ts';
import { findAddresses } from '#common/addresses/read-addresses.ts';
import { AppError, type Issue } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import type { Zone } from '#common/services.ts';
import { checkRecipient, type MailRequest } from '../model/mail-request.schema.ts';

/**
 * The addresses printed on a letter, and what is wrong with those from the address book. `sender` is null when the request
 * has none.
 */
export type ResolvedAddresses = { recipients: PostalAddress[]; sender: PostalAddress | null; issues: Issue[] };

type Given = MailRequest['recipients'][number];
/** `zone` null: any country. */
type GivenAddresses = Pick<MailRequest, 'recipients' | 'sender'> & { zone: Zone | null };

/**
 * Resolves the address book entries that a request refers to, with one query. Recipients must be RECIPIENT entries, the
 * sender a SENDER entry, and the country of a recipient must be in the zone: these are issues for the caller to throw with
 * others of the same addresses. Throws VALIDATION_ERROR with all of them if an entry is missing.
 */
export async function resolveAddresses(request: GivenAddresses, owner: Owner): Promise<ResolvedAddresses> {
  const { zone, recipients, sender } = request;
  const all = sender ? [...recipients, sender] : recipients;
  const entries = await findAddresses(
    owner,
    all.flatMap((given) => ('addressId' in given ? [given.addressId] : [])),
  );
  const issues: Issue[] = [];
  const resolve = (given: Given, kind: AddressKind, path: Issue['path']): PostalAddress[] => {
    // Addresses in the request were validated with its body.
    if (!('addressId' in given)) return [toPostalAddress(given)];
    const entry = entries.get(given.addressId);
    const faults = findFaults(entry, kind, zone);
    issues.push(...faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] })));
    return entry ? [toPostalAddress(entry)] : [];
  };

  const resolved = {
    recipients: recipients.flatMap((given, index) => resolve(given, 'RECIPIENT', ['recipients', index])),
    sender: sender ? (resolve(sender, 'SENDER', ['sender'])[0] ?? null) : null,
  };
  if (all.some((given) => 'addressId' in given && !entries.has(given.addressId)))
    throw new AppError('VALIDATION_ERROR', { issues });

  return { ...resolved, issues };
}

/** Security: the message is the same for a deleted entry, another organization's entry and an unknown id. */
function findFaults(entry: AddressRecord | undefined, kind: AddressKind, zone: Zone | null): Issue[] {
  if (!entry) return [{ path: ['addressId'], message: 'There is no such entry in your address book.' }];
  if (entry.kind !== kind) {
    return [{ path: ['addressId'], message: `This entry is a ${entry.kind}; give a ${kind}.` }];
  }
  return kind === 'RECIPIENT' ? checkRecipient(zone, entry) : [];
}

function toPostalAddress({ name, line1, line2 = null, zip, city, country }: Exclude<Given, { addressId: string }>) {
  return { name, line1, line2, zip, city, country };
}
