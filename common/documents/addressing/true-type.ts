const loneComponent = { hasWords: 0x1, hasScale: 0x8, hasMore: 0x20, hasTwoScales: 0x40, hasMatrix: 0x80 };
const hasInstructions = 0x100;
const headerBytes = 10;

/** The tables of a TrueType font that draw glyphs. Trusts the font: it is our own. */
export type TrueType = {
  glyphCount: number;
  /** Returns the outline of a glyph without hints, which printers do not use. Empty for a space. */
  outline(glyph: number): Outline;
  /** Advance width and left side bearing, in units of the font. */
  metrics(glyph: number): { advance: number; bearing: number };
  head: Buffer;
  hhea: Buffer;
  maxp: Buffer;
};

/** Bytes of the `glyf` table. `components` are the glyphs it is made of, by the position of their number. */
export type Outline = {
  bytes: Buffer;
  components: readonly { at: number; glyph: number }[];
  /** Lowest and highest point, in units of the font. */
  yMin: number;
  yMax: number;
};

export function readTrueType(font: Buffer): TrueType {
  const table = (tag: string): Buffer => {
    for (let i = 0; i < font.readUInt16BE(4); i += 1) {
      const entry = 12 + i * 16;
      if (font.toString('latin1', entry, entry + 4) !== tag) continue;
      const from = font.readUInt32BE(entry + 8);
      return font.subarray(from, from + font.readUInt32BE(entry + 12));
    }
    throw new Error(`The font has no table ${tag}.`);
  };
  const [head, hhea, maxp, hmtx, loca, glyf] = ['head', 'hhea', 'maxp', 'hmtx', 'loca', 'glyf'].map(table) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const isLong = head.readInt16BE(50) === 1;
  const offset = (glyph: number) => (isLong ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2);
  const lastMetric = hhea.readUInt16BE(34) - 1;
  const outlines = new Map<number, Outline>();

  return {
    glyphCount: maxp.readUInt16BE(4),
    head,
    hhea,
    maxp,
    outline(glyph) {
      const known = outlines.get(glyph);
      if (known) return known;
      const outline = withoutHints(glyf.subarray(offset(glyph), offset(glyph + 1)));
      outlines.set(glyph, outline);
      return outline;
    },
    metrics(glyph) {
      const at = Math.min(glyph, lastMetric) * 4;
      const bearingAt = glyph <= lastMetric ? at + 2 : (lastMetric + 1) * 4 + (glyph - lastMetric - 1) * 2;
      return { advance: hmtx.readUInt16BE(at), bearing: hmtx.readInt16BE(bearingAt) };
    },
  };
}

function withoutHints(glyph: Buffer): Outline {
  if (glyph.length === 0) return { bytes: glyph, components: [], yMin: 0, yMax: 0 };
  const [yMin, yMax] = [glyph.readInt16BE(4), glyph.readInt16BE(8)];
  const contours = glyph.readInt16BE(0);
  if (contours < 0) return { ...readComposite(glyph), yMin, yMax };

  const lengthAt = headerBytes + contours * 2;
  const rest = glyph.subarray(lengthAt + 2 + glyph.readUInt16BE(lengthAt));
  return { bytes: Buffer.concat([glyph.subarray(0, lengthAt), Buffer.alloc(2), rest]), components: [], yMin, yMax };
}

function readComposite(glyph: Buffer): Pick<Outline, 'bytes' | 'components'> {
  const bytes = Buffer.from(glyph);
  const components: { at: number; glyph: number }[] = [];
  let at = headerBytes;
  for (let flags = loneComponent.hasMore; flags & loneComponent.hasMore; ) {
    flags = bytes.readUInt16BE(at);
    bytes.writeUInt16BE(flags & ~hasInstructions, at);
    components.push({ at: at + 2, glyph: bytes.readUInt16BE(at + 2) });
    at += 4 + (flags & loneComponent.hasWords ? 4 : 2);
    if (flags & loneComponent.hasScale) at += 2;
    else if (flags & loneComponent.hasTwoScales) at += 4;
    else if (flags & loneComponent.hasMatrix) at += 8;
  }
  return { bytes: bytes.subarray(0, at), components };
}
