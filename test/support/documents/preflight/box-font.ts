/** A TrueType font with one glyph: `A` is a box that fills its em square. It has only the tables that PDF readers need. */
export function boxFont(): Buffer {
  const tables: [string, Buffer][] = [
    ['cmap', cmap()],
    ['glyf', glyf()],
    ['head', head()],
    ['hhea', shorts(1, 0, em, 0, 0, em, 0, 0, em, 1, 0, 0, 0, 0, 0, 0, 0, 2)],
    ['hmtx', shorts(em, 0, em, 0)],
    ['loca', shorts(0, 0, glyf().length / 2)],
    ['maxp', shorts(1, 0, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)],
  ];
  const directory = [Buffer.from([0, 1, 0, 0]), shorts(tables.length, 64, 2, 48)];
  let offset = 12 + 16 * tables.length;
  for (const [name, { length }] of tables) {
    directory.push(Buffer.from(name, 'latin1'), longs(0, offset, length));
    offset += padded(length);
  }
  const bodies = tables.map(([, body]) => Buffer.concat([body], padded(body.length)));
  return Buffer.concat([...directory, ...bodies]);
}

const em = 1_000;
const padded = (length: number) => Math.ceil(length / 4) * 4;

function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, i * 2);
  return bytes;
}

function longs(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
  return bytes;
}

/** Maps the byte `A` to glyph 1 (format 0, for Macintosh). */
function cmap(): Buffer {
  const glyphs = Buffer.alloc(256);
  glyphs[65] = 1;
  return Buffer.concat([shorts(0, 1, 1, 0), longs(12), shorts(0, 262, 0), glyphs]);
}

/** One outline of four points on the curve, with coordinates of 16 bits. */
function glyf(): Buffer {
  const header = shorts(1, 0, 0, em, em, 3, 0);
  const flags = Buffer.from([1, 1, 1, 1]);
  return Buffer.concat([header, flags, shorts(0, 0, em, 0), shorts(0, em, 0, -em)]);
}

function head(): Buffer {
  const version = longs(0x0001_0000, 0x0001_0000, 0, 0x5f0f_3cf5);
  return Buffer.concat([version, shorts(0, em), longs(0, 0, 0, 0), shorts(0, 0, em, em, 0, 8, 2, 0, 0)]);
}
