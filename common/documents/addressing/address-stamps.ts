import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { pointsPerMm } from '../sheet/a4.ts';
import type { PrintFileUpdate, Stamp } from '../sheet/append-stamps.ts';
import type { EnvelopeScheme } from '../sheet/envelope-schemes.ts';
import { fitAddress } from './address-block.ts';
import { AddressFault } from './address-fault.ts';
import type { AddressFont, ShapedLine } from './address-font.ts';
import { toAddressLines } from './address-lines.ts';
import { createFontSubset } from './font-subset.ts';
import { findSenderText, senderSize, toSenderLine } from './sender-line.ts';

/** Draws the address of a recipient with the sender's line above, as stamps for its page. Throws an AddressFault when it cannot be printed. */
export type AddressDrawer = (update: PrintFileUpdate, recipient: PostalAddress) => Stamp[];

/** Throws an AddressFault when the sender's address cannot be printed. */
export function createAddressDrawer(scheme: EnvelopeScheme, sender: PostalAddress, font: AddressFont): AddressDrawer {
  const unprintable = font.findUnprintable(findSenderText(sender));
  if (unprintable.length > 0) throw new AddressFault('unprintable', 'sender', unprintable);
  const senderLines = new Map<boolean, ShapedLine>();

  return (update, recipient) => {
    const lines = toAddressLines(recipient);
    const lacking = font.findUnprintable(lines.join(' '));
    if (lacking.length > 0) throw new AddressFault('unprintable', 'recipient', lacking);
    const block = fitAddress(lines, scheme.address, font);
    if (!block) throw new AddressFault('does_not_fit', 'recipient');

    // The line depends only on whether the letter leaves the sender's country.
    const isDomestic = recipient.country === sender.country;
    const senderLine = senderLines.get(isDomestic) ?? toSenderLine(sender, recipient.country, scheme.sender, font);
    senderLines.set(isDomestic, senderLine);

    const subset = createFontSubset(font);
    const senderWords = subset.show(senderLine, senderSize, 0, senderBaseline(scheme, senderLine));
    const addressWords = block.lines.map(({ shaped, baseline }) => subset.show(shaped, block.sizePoints, 0, baseline));
    const resources = `<< /Font << /F ${subset.embed(update)} >> >>`;
    return [
      { boxMm: scheme.sender, content: senderWords, resources },
      { boxMm: scheme.address, content: addressWords.join(''), resources },
    ];
  };
}

/** At the top of the box, in points above its lower edge. */
function senderBaseline({ sender }: EnvelopeScheme, { above }: ShapedLine): number {
  return sender.height * pointsPerMm - above * senderSize;
}
