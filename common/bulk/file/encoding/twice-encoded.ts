import { decodeBytes } from './decode-text.ts';

/** In which encodings UTF-8 is read by mistake, before it is saved as UTF-8 again. */
const misreadAs = [
  'windows-1252',
  'windows-1250',
  'windows-1254',
  'windows-1251',
  'macintosh',
  'cp850',
  'cp437',
] as const;

/** The byte of each character. Bytes without one become control characters, as in browsers and in ISO 8859-1. */
const bytesOf = misreadAs.map((encoding) => {
  const bytes = Array.from({ length: 128 }, (_, index) => index + 128);
  const ofControl = bytes.map((byte) => [String.fromCharCode(byte), byte] as const).slice(0, 32);
  const known = bytes.map((byte) => [decodeBytes(Buffer.from([byte]), encoding), byte] as const);
  return new Map([...ofControl, ...known.filter(([character]) => character !== '\ufffd')]);
});

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Letters and signs of addresses. Others come about by accident: two signs of a word may be the bytes of a phonetic one. */
const plausible =
  /^[\u0080-\u017f\u0192\u0218-\u021b\u02c6\u02dc\u0386-\u03ce\u0400-\u045f\u0490\u0491\u2010-\u2030\u2039\u203a\u20ac\u2116\u2122]+$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII
const foreignLetter = /[^\u0000-\u007f]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII
const foreignRun = /[^\u0000-\u007f]{2,}/gu;
/** The second half of an `à` is a space that does not break, which many programs replace by a plain one. */
const halfOfA = /(?<=\p{Ll})Ã(?= |$)|(?<!\p{L})Ã(?= \p{Ll})/gu;

/**
 * Returns the original of a text that was encoded twice: UTF-8 was read in another encoding, and saved as UTF-8 again, once
 * or several times. Returns other texts as they are.
 */
export function repairTwiceEncoded(text: string): string {
  let repaired = text;
  // Nearly all cells end here.
  if (!foreignLetter.test(text)) return text;
  for (let times = 0; times < 3; times += 1) {
    const before = repaired;
    repaired = before.replace(foreignRun, (run) => decodeRun(run) ?? run);
    if (repaired.includes('Ã')) repaired = repaired.replace(halfOfA, 'à');
    if (repaired === before) break;
  }
  return repaired;
}

function decodeRun(run: string): string | null {
  for (const known of bytesOf) {
    const [first = 0, second = 0] = [known.get(run[0] ?? ''), known.get(run[1] ?? '')];
    // Texts in another alphabet end here.
    if (first < 0xc2 || first > 0xf4 || second < 0x80 || second > 0xbf) continue;
    const bytes = Array.from(run, (character) => known.get(character) ?? 0);
    if (bytes.includes(0)) continue;
    const text = decodeStrictly(Uint8Array.from(bytes));
    if (text !== null && plausible.test(text)) return text;
  }
  return null;
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}
