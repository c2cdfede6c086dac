import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { type BoxMm, pointsPerMm } from '../sheet/a4.ts';
import type { AddressFont, ShapedLine } from './address-font.ts';
import { clean, toCountryLine, toPostalCode } from './address-lines.ts';

/** In points. */
export const senderSize = 6;
const separator = ' · ';
const ellipsis = '…';
/** Name and street keep at least this many characters. */
const fewestCharacters = 8;

/** Returns all text that the line of a sender may show. */
export function findSenderText({ name, line1, zip, city }: PostalAddress): string {
  return [name, line1, zip, city].map(clean).join(separator);
}

/** Returns the line that names the sender. It names the country when the letter leaves it. */
export function toSenderLine(
  sender: PostalAddress,
  recipientCountry: string,
  box: BoxMm,
  font: AddressFont,
): ShapedLine {
  const place = [toPostalCode(sender.zip, sender.country), clean(sender.city)].filter((word) => word !== '').join(' ');
  const country = sender.country === recipientCountry ? [] : [toCountryLine(sender.country)];
  const maxWidth = (box.width * pointsPerMm) / senderSize;
  const [name, street] = shorten(clean(sender.name), clean(sender.line1), (parts) => {
    return font.shape([...parts, place, ...country].join(separator)).width <= maxWidth;
  });
  return cut([name, street, place, ...country].filter((part) => part !== '').join(separator), maxWidth, font);
}

/** Takes characters from the longer of the two, because a letter that comes back needs the rest of the line. */
function shorten(name: string, street: string, fits: (parts: string[]) => boolean): [string, string] {
  const parts: [string, string] = [name, street];
  while (!fits(parts)) {
    const longer = parts[0].length >= parts[1].length ? 0 : 1;
    if (parts[longer].length <= fewestCharacters) break;
    parts[longer] = shorter(parts[longer]);
  }
  return parts;
}

function cut(line: string, maxWidth: number, font: AddressFont): ShapedLine {
  let text = line;
  let shaped = font.shape(text);
  while (shaped.width > maxWidth && text.length > 1) {
    text = shorter(text);
    shaped = font.shape(text);
  }
  return shaped;
}

function shorter(text: string): string {
  const characters = [...(text.endsWith(ellipsis) ? text.slice(0, -1) : text)];
  return `${characters.slice(0, -1).join('').trimEnd()}${ellipsis}`;
}
