/**
 * Data matrices (ISO/IEC 16022, ECC 200) of one region. Written here because the libraries for all barcodes take half a
 * millisecond of CPU for each, as much as everything else in a copy.
 */

/** Side in modules, codewords of data, codewords of error correction. */
const sizes = [
  { side: 20, dataCount: 22, checkCount: 18 },
  { side: 22, dataCount: 30, checkCount: 20 },
  { side: 24, dataCount: 36, checkCount: 24 },
  { side: 26, dataCount: 44, checkCount: 28 },
] as const;
type Size = (typeof sizes)[number];

/** A square of modules, row by row from the top left: 1 is dark. */
export type DataMatrix = { side: number; modules: Uint8Array };

const latchToC40 = 230;
const unlatch = 254;
const pad = 129;
const c40Basic = ' 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** The value of a space; the values below switch to other sets. */
const c40First = 3;
const c40Shift2 = 1;
const c40Second = '!"#$%&\'()*+,-./:;<=>?@[\\]^_';

/**
 * Encodes digits, capitals, spaces and ASCII punctuation as the smallest matrix of 20 to 26 modules. Throws a RangeError
 * for other characters and for a text that is too long; 40 characters always fit.
 */
export function encodeDataMatrix(text: string): DataMatrix {
  const data = toCodewords(text);
  const size = sizes.find(({ dataCount }) => dataCount >= data.length);
  if (!size) throw new RangeError(`Too long for a data matrix: ${text.length} characters`);
  const firstPad = data.length + 1;
  for (let position = firstPad; position <= size.dataCount; position += 1) {
    // The first pad is plain. The others depend on their position, so that they make no pattern.
    const scattered = pad + ((149 * position) % 253) + 1;
    data.push(position === firstPad ? pad : scattered > 254 ? scattered - 254 : scattered);
  }
  return place([...data, ...toCheckwords(data, size.checkCount)], size);
}

/** Three values of C40 fill two codewords. What remains is in ASCII, two digits to a codeword. */
function toCodewords(text: string): number[] {
  const values: number[] = [];
  let [encoded, encodedCharacters] = [0, 0];
  for (const [i, character] of [...text].entries()) {
    const basic = c40Basic.indexOf(character);
    const second = c40Second.indexOf(character);
    if (basic === -1 && second === -1) throw new RangeError('A character that the mark of a sheet never has');
    if (basic >= 0) values.push(c40First + basic);
    else values.push(c40Shift2, second);
    if (values.length % 3 === 0) [encoded, encodedCharacters] = [values.length, i + 1];
  }
  const codewords = [latchToC40];
  for (let i = 0; i < encoded; i += 3) {
    const number = 1600 * (values[i] ?? 0) + 40 * (values[i + 1] ?? 0) + (values[i + 2] ?? 0) + 1;
    codewords.push(number >> 8, number & 255);
  }
  codewords.push(unlatch);
  for (const [part] of text.slice(encodedCharacters).matchAll(/\d\d|./g)) {
    codewords.push(part.length === 2 ? 130 + Number(part) : part.charCodeAt(0) + 1);
  }
  return codewords;
}

/** Powers and logarithms of 2 in the field of 256 elements that the standard uses. */
const field = (() => {
  const powers = new Uint8Array(255);
  const logarithms = new Uint8Array(256);
  for (let i = 0, power = 1; i < 255; i += 1) {
    powers[i] = power;
    logarithms[power] = i;
    power = power >= 128 ? ((power << 1) ^ 0x12d) & 255 : power << 1;
  }
  const multiply = (a: number, b: number): number =>
    a === 0 || b === 0 ? 0 : (powers[((logarithms[a] ?? 0) + (logarithms[b] ?? 0)) % 255] ?? 0);
  return { powers, multiply };
})();

const generators = new Map<number, number[]>();

/** Coefficients of the product of (x - 2^i) for i from 1 to `degree`, without the first, which is 1. */
function generatorOf(degree: number): number[] {
  const known = generators.get(degree);
  if (known) return known;
  let product = [1];
  for (let i = 1; i <= degree; i += 1) {
    const root = field.powers[i] ?? 0;
    product = [...product, 0].map((value, at) => value ^ field.multiply(product[at - 1] ?? 0, root));
  }
  generators.set(degree, product.slice(1));
  return product.slice(1);
}

/** The Reed-Solomon code: the remainder of the data divided by the generator. */
function toCheckwords(data: readonly number[], count: number): number[] {
  const generator = generatorOf(count);
  const rest = new Array<number>(count).fill(0);
  for (const codeword of data) {
    const factor = codeword ^ (rest.shift() ?? 0);
    rest.push(0);
    for (let i = 0; i < count; i += 1) rest[i] = (rest[i] ?? 0) ^ field.multiply(factor, generator[i] ?? 0);
  }
  return rest;
}

const placements = new Map<number, Int16Array>();

/** Puts the bits between the borders: solid at the left and at the bottom, dashed at the top and at the right. */
function place(codewords: readonly number[], { side }: Size): DataMatrix {
  const inner = side - 2;
  const placement = placements.get(inner) ?? placeBits(inner);
  placements.set(inner, placement);
  const modules = new Uint8Array(side * side);
  for (let i = 0; i < side; i += 1) {
    modules[i * side] = 1;
    modules[(side - 1) * side + i] = 1;
    if (i % 2 === 0) modules[i] = 1;
    else modules[i * side + side - 1] = 1;
  }
  for (const [at, bit] of placement.entries()) {
    const isDark = bit === darkCorner || (bit >= 0 && (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1);
    if (isDark) modules[(Math.floor(at / inner) + 1) * side + (at % inner) + 1] = 1;
  }
  return { side, modules };
}

const unset = -1;
const darkCorner = -2;

/** Rows and columns of the eight bits of a codeword, relative to its last bit. */
const utah = [
  [-2, -2],
  [-2, -1],
  [-1, -2],
  [-1, -1],
  [-1, 0],
  [0, -2],
  [0, -1],
  [0, 0],
] as const;

/**
 * Codewords that are bent around corners: the place in the walk where they come, the sides for which they do, and rows and
 * columns of their bits. Negative numbers count from the end.
 */
const corners = [
  { row: 0, column: 0, isUsed: () => true, bits: '-1,0 -1,1 -1,2 0,-2 0,-1 1,-1 2,-1 3,-1' },
  { row: -2, column: 0, isUsed: (side: number) => side % 4 !== 0, bits: '-3,0 -2,0 -1,0 0,-4 0,-3 0,-2 0,-1 1,-1' },
  { row: -2, column: 0, isUsed: (side: number) => side % 8 === 4, bits: '-3,0 -2,0 -1,0 0,-2 0,-1 1,-1 2,-1 3,-1' },
  { row: 4, column: 2, isUsed: (side: number) => side % 8 === 0, bits: '-1,0 -1,-1 0,-3 0,-2 0,-1 1,-3 1,-2 1,-1' },
].map(({ bits, ...corner }) => ({ ...corner, bits: bits.split(' ').map((place) => place.split(',').map(Number)) }));

/** Returns for each module the number of its bit: eight times the codeword, plus the bit from the highest. Annex F. */
function placeBits(side: number): Int16Array {
  const bits = new Int16Array(side * side).fill(unset);
  let codeword = 0;
  const put = (row: number, column: number, bit: number) => {
    bits[row * side + column] = codeword * 8 + bit;
  };
  const putUtah = (row: number, column: number) => {
    if (row < 0 || row >= side || column < 0 || column >= side || bits[row * side + column] !== unset) return;
    for (const [bit, [rows, columns]] of utah.entries()) {
      let [r, c] = [row + rows, column + columns];
      // What leaves at one edge comes back at the other, moved so that it meets its place.
      if (r < 0) [r, c] = [r + side, c + 4 - ((side + 4) % 8)];
      if (c < 0) [r, c] = [r + 4 - ((side + 4) % 8), c + side];
      put(r, c, bit);
    }
    codeword += 1;
  };

  for (let row = 4, column = 0; row < side || column < side; row += 3, column += 1) {
    for (const corner of corners) {
      if (row !== side + corner.row || column !== corner.column || !corner.isUsed(side)) continue;
      for (const [bit, [r = 0, c = 0]] of corner.bits.entries()) put(r < 0 ? side + r : r, c < 0 ? side + c : c, bit);
      codeword += 1;
    }
    for (; row >= 0 && column < side; row -= 2, column += 2) putUtah(row, column);
    row += 1;
    column += 3;
    for (; row < side && column >= 0; row += 2, column -= 2) putUtah(row, column);
  }
  if (bits[side * side - 1] === unset) {
    bits[side * side - 1] = darkCorner;
    bits[side * side - side - 2] = darkCorner;
  }
  return bits;
}
