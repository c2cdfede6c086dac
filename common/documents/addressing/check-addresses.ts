import type { PostalAddress } from '#common/organizations/organization.model.ts';
import type { EnvelopeScheme } from '../sheet/envelope-schemes.ts';
import { fitAddress } from './address-block.ts';
import { loadAddressFont } from './address-font.ts';
import { toAddressLines } from './address-lines.ts';
import { findSenderText } from './sender-line.ts';

/** Why an address cannot be printed, as a sentence. `recipientIndex` is null for the sender, else from 0. */
export type AddressProblem = { recipientIndex: number | null; problem: string };

type Addresses = { scheme: EnvelopeScheme; sender: PostalAddress; recipients: readonly PostalAddress[] };

/** Returns the addresses of a letter that its copies cannot show. Copies of all others can be made. */
export async function checkAddresses({ scheme, sender, recipients }: Addresses): Promise<AddressProblem[]> {
  const font = await loadAddressFont();
  const describe = (characters: readonly string[]) =>
    `It has characters that are not in the printer's font: ${characters.join(' ')}. Latin, Greek and Cyrillic letters are.`;

  function problemOf(recipient: PostalAddress): string | null {
    const lines = toAddressLines(recipient);
    const lacking = font.findUnprintable(lines.join(' '));
    if (lacking.length > 0) return describe(lacking);
    return fitAddress(lines, scheme.address, font) ? null : 'It is too long for the window of the envelope.';
  }

  const ofSender = font.findUnprintable(findSenderText(sender));
  const ofRecipients = recipients.flatMap((recipient, recipientIndex) => {
    const problem = problemOf(recipient);
    return problem === null ? [] : [{ recipientIndex, problem }];
  });
  return [...(ofSender.length > 0 ? [{ recipientIndex: null, problem: describe(ofSender) }] : []), ...ofRecipients];
}
