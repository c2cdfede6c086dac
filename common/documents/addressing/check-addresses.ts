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
  /** The field to change. An address has a problem for each. */
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
  // The line of the sender shows neither line2 nor capitals.
  const ofSender = findLacking(findSenderText(sender), { ...sender, line2: null }, font);
  problems.push(...ofSender.map((each) => ({ recipientIndex: null, ...each })));

  for (const [recipientIndex, recipient] of recipients.entries()) {
    const lines = toAddressLines(recipient);
    await waitForTurn(lines.join('').length);
    const found = findProblems(recipient, lines, scheme.address, font);
    problems.push(...found.map((each) => ({ recipientIndex, ...each })));
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

function findProblems(recipient: PostalAddress, lines: readonly string[], box: BoxMm, font: AddressFont): Found[] {
  const lacking = findLacking(lines.join(' '), { ...recipient, city: recipient.city.toUpperCase() }, font);
  const size = fitAddress(lines, box, font)?.sizePoints ?? 0;
  const isSmall = size >= leastSize;
  if (size >= smallBelow || (isSmall && lacking.length > 0)) return lacking;
  const problem = isSmall
    ? `At ${size} points it is hard to read.`
    : `It is too long for the window of the envelope, even at ${leastSize} points.`;
  const tooLong = findRemedies(recipient, box.width / (isSmall ? smallBelow : leastSize), font)
    .filter(({ field }) => !lacking.some((each) => each.field === field))
    .map(({ field, remedy }) => ({ field, problem: `${problem} ${remedy}`, isSmall }));
  return [...lacking, ...tooLong];
}

/** Returns what makes an address larger: each word that does not fit, else the widest line or the number of lines. */
function findRemedies({ name, line1, line2, city }: PostalAddress, widthMm: number, font: AddressFont) {
  const room = widthMm * pointsPerMm;
  const widthOf = (text: string) => font.shape(text).width;
  const fields = Object.entries({ name, line1, line2: line2 ?? '', city: city.toUpperCase() }).map(([field, text]) => {
    const words = clean(text).split(' ').map(widthOf);
    return { field: field as keyof PostalAddress, word: Math.max(...words), line: widthOf(clean(text)) };
  });
  const [widest] = fields.toSorted((a, b) => b.line - a.line);
  if (line2 && fields.every(({ line }) => line <= room))
    return [{ field: 'line2', remedy: 'Write line1 and line2 on one line.' } as const];
  const tooWide = fields.filter(({ word }) => word > room);
  return (tooWide.length > 0 || !widest ? tooWide : [widest]).map(({ field }) => ({
    field,
    remedy: `Shorten ${field}.`,
  }));
}

/** Returns each field of an address with characters that the font lacks, if its printed text has any. */
function findLacking(printed: string, address: PostalAddress, font: AddressFont): (Found & { characters: string })[] {
  const ofAll = font.findUnprintable(printed);
  if (ofAll.length === 0) return [];
  const found = (['name', 'line1', 'line2', 'zip', 'city'] as const).flatMap((field) => {
    const lacking = font.findUnprintable(clean(address[field] ?? ''));
    return lacking.length > 0 ? [describe(field, lacking)] : [];
  });
  return found.length > 0 ? found : [describe('city', ofAll)];
}

/** Names a few characters by code point: their order in the address, a name perhaps, is not to be read from it. */
function describe(field: keyof PostalAddress, lacking: readonly string[]): Found & { characters: string } {
  const sorted = [...new Set(lacking)].sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0));
  const named = sorted.slice(0, maxNamedCharacters).join(' ');
  const others = sorted.length - maxNamedCharacters;
  const characters = others > 0 ? `${named} and ${others} more` : named;
  const problem = `Its ${field} has characters that are not in the printer's font: ${characters}. Latin, Greek and Cyrillic letters are.`;
  return { field, problem, characters, isSmall: false };
}
