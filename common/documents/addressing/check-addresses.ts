import { setImmediate as nextLoop } from 'node:timers/promises';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import type { EnvelopeScheme } from '../sheet/envelope-schemes.ts';
import { fitAddress } from './address-block.ts';
import { loadAddressFont } from './address-font.ts';
import { toAddressLines } from './address-lines.ts';
import { findSenderText } from './sender-line.ts';

/**
 * Why an address cannot be printed, as a sentence. `recipientIndex` is null for the sender, else from 0. `characters`: a few
 * of those that the font lacks; absent when the address is too long.
 */
export type AddressProblem = { recipientIndex: number | null; problem: string; characters?: string };

type Addresses = { scheme: EnvelopeScheme; sender: PostalAddress; recipients: readonly PostalAddress[] };

/** Other work of the process, such as the renewal of leases, has to run between the addresses of a long list. */
const maxBusyMs = 10;
const maxNamedCharacters = 5;

/**
 * Returns the addresses of a letter that its copies cannot show. Copies of all others can be made. It yields to the event
 * loop after 10 ms of work at most, and one address.
 */
export async function checkAddresses({ scheme, sender, recipients }: Addresses): Promise<AddressProblem[]> {
  const font = await loadAddressFont();

  function problemOf(recipient: PostalAddress): Omit<AddressProblem, 'recipientIndex'> | null {
    const lines = toAddressLines(recipient);
    const lacking = font.findUnprintable(lines.join(' '));
    if (lacking.length > 0) return describe(lacking);
    if (fitAddress(lines, scheme.address, font)) return null;
    return { problem: 'It is too long for the window of the envelope.' };
  }

  const problems: AddressProblem[] = [];
  const ofSender = font.findUnprintable(findSenderText(sender));
  if (ofSender.length > 0) problems.push({ recipientIndex: null, ...describe(ofSender) });

  let busySince = performance.now();
  for (const [recipientIndex, recipient] of recipients.entries()) {
    const problem = problemOf(recipient);
    if (problem !== null) problems.push({ recipientIndex, ...problem });
    if (performance.now() - busySince < maxBusyMs) continue;
    await nextLoop();
    busySince = performance.now();
  }
  return problems;
}

/** Names a few characters by code point: their order in the address, a name perhaps, is not to be read from it. */
function describe(characters: readonly string[]): Required<Omit<AddressProblem, 'recipientIndex'>> {
  const sorted = [...new Set(characters)].sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0));
  const named = sorted.slice(0, maxNamedCharacters).join(' ');
  const others = sorted.length - maxNamedCharacters;
  const list = others > 0 ? `${named} and ${others} more` : named;
  const problem = `It has characters that are not in the printer's font: ${list}. Latin, Greek and Cyrillic letters are.`;
  return { problem, characters: list };
}
