import { foldText } from '#common/fields/fold-text.ts';
import type { Owner } from '#common/modes.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { sha256Hex } from '#common/secrets.ts';

/**
 * Returns what equal addresses of one owner have in common: a hash of the lines without the name, whatever their case,
 * accents and spaces. It is personal data: a guessed address can be compared with it.
 */
export function addressKeyOf(
  { organizationId, mode }: Owner,
  { line1, line2, zip, city, country }: Omit<PostalAddress, 'name'>,
): string {
  const lines = [line1, line2 ?? '', zip, city, country].map((line) => foldText(line).replaceAll(/\s+/g, ' ').trim());
  return sha256Hex(JSON.stringify([organizationId, mode, ...lines]));
}
