import { setImmediate as nextLoop } from 'node:timers/promises';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { type BoxMm, pointsPerMm } from '../sheet/a4.ts';
import type { EnvelopeScheme } from '../sheet/envelope-schemes.ts';
import { fitAddress } from './address-block.ts';
import { type AddressFont, loadAddressFont } from './address-font.ts';
import { clean, toAddressLines } from './address-lines.ts';
import { findSenderText } from './sender-line.ts';

/** What is wrong with an address. */
export type AddressProblem = {
  /** From 0; null for the sender. */
  recipientIndex: number | null;
  /** The field to change first. */
  field: keyof PostalAddress;
  /** One or two sentences. */
  problem: string;
  /** A few of the characters that the font lacks. Absent when the address is too long. */
  characters?: string;
  /** The address is printed all the same, in letters that are hard to read. */
  isSmall: boolean;
};

type Addresses = { scheme: EnvelopeScheme; sender: PostalAddress; recipients: readonly PostalAddress[] };
type Found = Omit<AddressProblem, 'recipientIndex'>;

/** Sizes in points: below the first, an address is hard to read; below the second, it is refused. */
const smallBelow = 8;
const leastSize = 7;
const maxNamedCharacters = 5;

/**
 * Returns the addresses of a letter that its copies cannot show, or only in small letters. Other work of the process runs
 * between the addresses, also of many checks at once.
 */
export async function checkAddresses({ scheme, sender, recipients }: Addresses): Promise<AddressProblem[]> {
  const font = await loadAddressFont();
  const problems: AddressProblem[] = [];
  const ofSender = font.findUnprintable(findSenderText(sender));
  if (ofSender.length > 0) problems.push({ recipientIndex: null, ...describe(ofSender, sender, font) });

  for (const [recipientIndex, recipient] of recipients.entries()) {
    const lines = toAddressLines(recipient);
    await waitForTurn(lines.join('').length);
    const problem = findProblem(recipient, lines, scheme.address, font);
    if (problem !== null) problems.push({ recipientIndex, ...problem });
  }
  return problems;
}

/** Most characters that are measured before other work of the process runs: 3 to 10 ms. */
const maxMeasured = 300;
let measured = 0;
let turns: Promise<void> = Promise.resolve();

/** Lets the event loop run when enough was measured. Checks that wait get a turn of it each, one after another. */
async function waitForTurn(characters: number): Promise<void> {
  if (measured >= maxMeasured) {
    turns = turns.then(async () => {
      await nextLoop();
      measured = 0;
    });
    await turns;
  }
  measured += characters;
}

function findProblem(recipient: PostalAddress, lines: readonly string[], box: BoxMm, font: AddressFont): Found | null {
  const lacking = font.findUnprintable(lines.join(' '));
  if (lacking.length > 0) return describe(lacking, recipient, font);
  const size = fitAddress(lines, box, font)?.sizePoints ?? 0;
  if (size >= smallBelow) return null;
  const { field, remedy } = findRemedy(recipient, box, font);
  const isSmall = size >= leastSize;
  const problem = isSmall
    ? `At ${size} points it is hard to read. ${remedy}`
    : `It is too long for the window of the envelope, even at ${leastSize} points. ${remedy}`;
  return { field, problem, isSmall };
}

/** Returns what makes an address smaller: the widest word that does not fit, the widest line, or the number of lines. */
function findRemedy({ name, line1, line2, city }: PostalAddress, box: BoxMm, font: AddressFont) {
  const room = (box.width * pointsPerMm) / smallBelow;
  const widthOf = (text: string) => font.shape(text).width;
  const fields = Object.entries({ name, line1, line2: line2 ?? '', city: city.toUpperCase() }).map(([field, text]) => {
    const words = clean(text).split(' ').map(widthOf);
    return { field: field as keyof PostalAddress, word: Math.max(...words), line: widthOf(clean(text)) };
  });
  const [first] = fields.sort((a, b) => Number(b.word > room) - Number(a.word > room) || b.line - a.line);
  if (!first || (first.line <= room && line2))
    return { field: 'line2', remedy: 'Write line1 and line2 on one line.' } as const;
  return { field: first.field, remedy: `Shorten ${first.field}.` };
}

/** Names a few characters by code point: their order in the address, a name perhaps, is not to be read from it. */
function describe(
  lacking: readonly string[],
  address: PostalAddress,
  font: AddressFont,
): Found & { characters: string } {
  const sorted = [...new Set(lacking)].sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0));
  const named = sorted.slice(0, maxNamedCharacters).join(' ');
  const others = sorted.length - maxNamedCharacters;
  const list = others > 0 ? `${named} and ${others} more` : named;
  const problem = `It has characters that are not in the printer's font: ${list}. Latin, Greek and Cyrillic letters are.`;
  const fields = ['name', 'line1', 'line2', 'zip'] as const;
  const field = fields.find((each) => font.findUnprintable(clean(address[each] ?? '')).length > 0) ?? 'city';
  return { field, problem, characters: list, isSmall: false };
}
