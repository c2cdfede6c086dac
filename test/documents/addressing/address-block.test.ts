// Level: unit
import { type AddressBlock, fitAddress } from '#common/documents/addressing/address-block.ts';
import { loadAddressFont, type ShapedLine } from '#common/documents/addressing/address-font.ts';
import { openCopyMaker } from '#common/documents/addressing/create-copies.ts';
import { toSenderLine } from '#common/documents/addressing/sender-line.ts';
import { pointsPerMm } from '#common/documents/sheet/a4.ts';
import { envelopeSchemes } from '#common/documents/sheet/envelope-schemes.ts';
import { itemId, plainPrintFile, recipient, sender } from '#test/support/documents/addressing/build-print-file.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const scheme = envelopeSchemes['window-left'];
const box = scheme.address;

function textOf({ glyphs }: ShapedLine): string {
  return glyphs.map(({ text }) => text).join('');
}

/** Returns the block in a box, after checking that each line is inside of it. */
async function setIn(lines: readonly string[], inBox = box): Promise<(AddressBlock & { texts: string[] }) | null> {
  const block = fitAddress(lines, inBox, await loadAddressFont());
  if (!block) return null;
  for (const { shaped, baseline } of block.lines) {
    expect(shaped.width * block.sizePoints).toBeLessThanOrEqual(inBox.width * pointsPerMm);
    expect(baseline + shaped.above * block.sizePoints).toBeLessThanOrEqual(inBox.height * pointsPerMm + 1e-9);
    expect(baseline - shaped.below * block.sizePoints).toBeGreaterThanOrEqual(-1e-9);
  }
  return { ...block, texts: block.lines.map(({ shaped }) => textOf(shaped)) };
}

const four = ['Anneke Vandenbroucke', 'Avenue Louise 235', 'bte 4', '1050 BRUXELLES'];
const long = 'Agence fédérale pour la Sécurité de la Chaîne alimentaire et de l’Environnement';

describe('an address in its window', () => {
  test('four short lines are set at 10 points', async () => {
    expect(await setIn(four)).toMatchObject({ sizePoints: 10, texts: four });
  });

  test('a line that is a little too long makes all smaller', async () => {
    const lines = ['Agence fédérale pour la Sécurité de la Chaîne Nord-Est', ...four];
    const block = await setIn(lines);
    expect(block).toMatchObject({ texts: lines });
    expect(block?.sizePoints).toBeLessThan(10);
    expect(block?.sizePoints).toBeGreaterThanOrEqual(8);
  });

  test('a line that is much too long is wrapped at a space, into parts of about the same length', async () => {
    const block = await setIn([long, ...four.slice(1)]);
    expect(block?.texts).toEqual([
      'Agence fédérale pour la Sécurité de la',
      'Chaîne alimentaire et de l’Environnement',
      ...four.slice(1),
    ]);
    expect(block?.sizePoints).toBe(8);
  });

  test('lines that would become seven are made smaller instead', async () => {
    const lines = [long, 'Avenue Louise 235', 'bte 4', 'WOTTON', 'GL12 7AA', 'UNITED KINGDOM'];
    const block = await setIn(lines);
    expect(block).toMatchObject({ texts: lines });
    expect(block?.sizePoints).toBeLessThan(7);
    expect(block?.sizePoints).toBeGreaterThanOrEqual(4.5);
  });

  test('six lines are small only where the window is low', async () => {
    const lines = ['Évelyn', 'Flat 1', 'Mill Lane', 'WOTTON', 'GL12 7AA', 'UNITED KINGDOM'];
    expect(await setIn(lines)).toMatchObject({ sizePoints: 8.5 });
    expect(await setIn(lines, envelopeSchemes.registered.address)).toMatchObject({ sizePoints: 7 });
    expect(await setIn(lines, envelopeSchemes['window-right'].address)).toMatchObject({ sizePoints: 10 });
  });

  test('a line that does not fit at 4.5 points is a fault that does not name the address', async () => {
    expect(await setIn(['W'.repeat(60), ...four])).toBeNull();
    const maker = await openCopyMaker({ bytes: plainPrintFile(1) }, { scheme, placement: 'page', sender });
    const address = { ...recipient, line1: 'W'.repeat(60) };
    const fault = { name: 'AddressFault', reason: 'does_not_fit', of: 'recipient', characters: [] };
    expect(() => maker.make({ itemId, address })).toThrow(expect.objectContaining(fault));
    expect(() => maker.make({ itemId, address })).toThrow(/^(?!.*WW)/);
  });
});

describe('characters that cannot be printed are named', () => {
  test.each([
    ['王小明 Wang', ['王', '小', '明']],
    ['محمد', ['م', 'ح', 'د']],
    ['Anna 😀', ['😀']],
    ['नमस्ते', ['न', 'म', 'स', '्', 'त', 'े']],
    ['שלום', ['ש', 'ל', 'ו', 'ם']],
    ['Łukasz Ñuñez Đặng Ærø ﬁn № 5 — „x“', []],
    ['Ελευθερία Žižek Щука Ґ Ѓ Ў ș ț ġ ẞ', []],
    ['o\u0308 e\u0301', []],
    ['x\u0301', []],
    ['\u0627\u0301', ['\u0627']],
  ])('%s', async (text, characters) => {
    const font = await loadAddressFont();
    expect(font.findUnprintable(text.normalize('NFC'))).toEqual(characters);
  });

  test('in the address of a recipient and of a sender', async () => {
    const print = { bytes: plainPrintFile(1) };
    const maker = await openCopyMaker(print, { scheme, placement: 'cover', sender });
    const fault = { reason: 'unprintable', of: 'recipient', characters: ['王'] };
    expect(() => maker.make({ itemId, address: { ...recipient, name: '王 Wang' } })).toThrow(
      expect.objectContaining(fault),
    );
    await expect(
      openCopyMaker(print, { scheme, placement: 'page', sender: { ...sender, city: '東京' } }),
    ).rejects.toMatchObject({ reason: 'unprintable', of: 'sender', characters: ['東', '京'] });
  });

  test('an accent without a composed character is set over its letter', async () => {
    const font = await loadAddressFont();
    const [letter, accent] = font.shape('x\u0301').glyphs;
    expect(accent).toMatchObject({ advance: 0, text: '\u0301' });
    expect((letter?.advance ?? 0) + (accent?.xOffset ?? 0)).toBeGreaterThan(0);
  });
});

describe('the line of the sender', () => {
  const line = async (changes: Partial<typeof sender>, to = 'BE') => {
    const shaped = toSenderLine({ ...sender, ...changes }, to, scheme.sender, await loadAddressFont());
    expect(shaped.width * 6).toBeLessThanOrEqual(scheme.sender.width * pointsPerMm);
    return textOf(shaped);
  };

  test('names the sender, and the country when the letter leaves it', async () => {
    expect(await line({})).toBe('Bluejay Post SA · Rue du Facteur 12 · 1000 Bruxelles');
    expect(await line({}, 'FR')).toBe('Bluejay Post SA · Rue du Facteur 12 · 1000 Bruxelles · BELGIUM');
  });

  test('is shortened at the name and the street, never at the city', async () => {
    expect(await line({ name: long })).toBe(
      'Agence fédérale pour la Sécurité de la Chaîne alim… · Rue du Facteur 12 · 1000 Bruxelles',
    );
    expect(await line({ name: long, line1: long })).toMatch(/^Agence.*… · Agence.*… · 1000 Bruxelles$/);
  });

  test('is cut at the end when the city alone is too long', async () => {
    expect(await line({ city: long + long })).toMatch(/…$/);
  });
});
