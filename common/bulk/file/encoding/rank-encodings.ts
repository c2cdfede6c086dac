import { analyse } from 'chardet';
import { toCountryCode } from '#common/fields/country-names.ts';
import { type LikelyLanguage, languagesOf } from './alphabets.ts';
import { decodeBytes } from './decode-text.ts';
import { type SingleByteEncoding, singleByteEncodings } from './table-encodings.ts';

/** A reading of a list: cells in which it differs from another one show which is right. */
export type LikelyEncoding = { encoding: SingleByteEncoding; cells: string[] };

/** Different cells, and lines, that are looked at: more change nothing. */
const maxCells = 2_000;
const maxLines = 20_000;
const maxCountryLength = 60;
const shownCells = 3;
const maxShownLength = 80;
/** Two readings whose scores are closer than a word of a likely against one of an unlikely language are both likely. */
const closeScore = 2;
/** Of a cell with signs or control characters among its letters. */
const amissScore = -3;
/** What most lists of one word are, and what the detector of another library adds. */
const windows = 0.5;
const vote = 1;

/**
 * Returns the likely encodings of a text that is not Unicode, the most likely one first: more than one when its letters do
 * not tell. A reading is likely when its words are made of the letters of one language each, above all of the language of
 * the country in the same row. Readings that differ nowhere count as one.
 */
export function rankEncodings(bytes: Buffer): LikelyEncoding[] {
  const cells = findCells(bytes);
  const guessed = analyse(bytes.subarray(0, 256 * 1024))[0]?.name.toLowerCase();
  const readings = singleByteEncodings.map((encoding) => {
    const texts = cells.map(({ cell }) => decodeBytes(cell, encoding));
    const prior = (encoding === 'windows-1252' ? windows : 0) + (encoding === guessed ? vote : 0);
    const sum = texts.reduce((total, text, index) => total + scoreText(text, cells[index]?.languages ?? []), prior);
    return { encoding, texts, score: sum };
  });
  const different = readings.filter(
    ({ texts }, index) =>
      !readings.slice(0, index).some((earlier) => earlier.texts.every((text, at) => text === texts[at])),
  );
  const [best, ...others] = different.toSorted((left, right) => right.score - left.score);
  if (!best) return [];
  // Cells that are no words were written in an encoding that is not here: a person must see them.
  const amiss = best.texts.filter((text) => scoreText(text, []) <= amissScore).length;
  const isAmiss = amiss * 5 >= best.texts.length;
  const isClose = ({ score, texts }: (typeof others)[number]) => {
    const differing = texts.filter((text, at) => text !== best.texts[at]).length;
    // Of languages that are unlikely both, many words tell no more than one.
    return best.score - score < closeScore || best.score - score <= differing;
  };
  const close = others.filter((other) => isAmiss || isClose(other)).slice(0, 2);
  const likely = [best, ...close];
  const telling = cells.flatMap((_, at) => (new Set(likely.map(({ texts }) => texts[at])).size > 1 ? [at] : []));
  return likely.map(({ encoding, texts }) => ({
    encoding,
    cells: telling.slice(0, shownCells).map((at) => (texts[at] ?? '').slice(0, maxShownLength).toWellFormed()),
  }));
}

type Cell = { cell: Buffer; languages: LikelyLanguage[] };

/** Returns the cells with bytes above 0x7f, each once, with the languages of the country in their row. */
function findCells(bytes: Buffer): Cell[] {
  const found = new Map<string, Cell>();
  const countries = new Map<string, string | null>();
  const countryOf = (cell: string) => {
    const known = countries.get(cell);
    if (known !== undefined) return known;
    const code = cell.length > maxCountryLength ? null : toCountryCode(cell);
    if (countries.size < maxCells) countries.set(cell, code);
    return code;
  };
  let lines = 0;
  for (let at = 0; at < bytes.length && found.size < maxCells && lines < maxLines; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    lines += 1;
    const { from, to } = lineAround(bytes, at);
    const cells = bytes.toString('latin1', from, to).split(/[;,\t|^]/);
    const country = cells.map((cell) => countryOf(cell.replaceAll('"', '').trim())).find((code) => code !== null);
    for (const cell of cells) {
      if (foreignLetter.test(cell))
        found.set(`${cell};${country}`, { cell: Buffer.from(cell, 'latin1'), languages: languagesOf(country) });
    }
    at = to;
  }
  return [...found.values()];
}

const longestLine = 4_000;
const isBreak = (byte: number | undefined) => byte === 0x0a || byte === 0x0d;

function lineAround(bytes: Buffer, at: number): { from: number; to: number } {
  let [from, to] = [at, at];
  while (from > 0 && at - from < longestLine && !isBreak(bytes[from - 1])) from -= 1;
  while (to < bytes.length && to - at < longestLine && !isBreak(bytes[to])) to += 1;
  return { from, to };
}

/** Signs of typography: at home beside words, and out of place inside of them. An apostrophe is at home there. */
const signs = '“”„«»…•€™®©';

function scoreText(text: string, languages: readonly LikelyLanguage[]): number {
  const amiss = text.match(signInside)?.length ?? 0;
  const typeset = text.match(signBeside)?.length ?? 0;
  const words = text.split(wordEnd).filter((word) => foreignLetter.test(word));
  const start = amiss * -4 + (amiss === 0 ? typeset / 2 : 0);
  return words.reduce((sum, word) => sum + scoreWord(word, languages), start);
}

const signInside = new RegExp(`\\p{L}[${signs}](?=\\p{L})|[®©™•](?=\\p{L})`, 'gu');
const signBeside = new RegExp(`[${signs}]|(?<=\\p{L})’(?=\\p{L})|(?<!\\p{L})–(?!\\p{L})`, 'gu');
/** Words end at all of ASCII but letters. */
const wordEnd = new RegExp(`[\\u0000-\\u0040\\u005b-\\u0060\\u007b-\\u007f‘’·–—´\\u00a0${signs}]+`, 'u');
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what says nothing
const foreignLetter = /[^\u0000-\u007f]/u;

/** The sign of a house number has no other use, and no language has its letters. */
const numberSign = /^nr?[°º]$/i;

/** Returns how likely a word is: 1 to 4 for one in a language, down to -6 for what is no word. */
function scoreWord(word: string, languages: readonly LikelyLanguage[]): number {
  if (numberSign.test(word)) return 5;
  if (/[\u0080-\u009f\ufffd]/u.test(word)) return -6;
  if (/[^\p{L}\p{M}]/u.test(word)) return /\p{L}/u.test(word) ? -4 : -1;
  const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u].filter((each) => each.test(word));
  if (scripts.length !== 1) return -4;
  if (/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(word)) return -3;
  const foreign = [...word.toLowerCase()].filter((letter) => foreignLetter.test(letter));
  // Greek and Cyrillic words would be Latin letters with accents, and nothing else.
  if (/\p{Script=Latin}/u.test(word) && word.length > 2 && foreign.length >= word.length) return -3;
  const weights = languages
    .filter(({ letters }) => foreign.every((letter) => letters.includes(letter)))
    .map(({ weight, frequent }) => weight + (frequent === undefined ? 0 : shareOf(frequent, foreign)));
  const weight = Math.max(0, ...weights);
  return word.length === 1 ? weight / 3 : weight;
}

function shareOf(frequent: string, letters: readonly string[]): number {
  return letters.filter((letter) => frequent.includes(letter)).length / letters.length;
}
