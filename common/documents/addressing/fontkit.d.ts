/** The functions used from fontkit. The package has no types. */
declare module 'fontkit' {
  /** An outline of the font, and the characters that it shows. */
  type Glyph = { id: number; codePoints: number[] };
  /** In units of the font. */
  type GlyphPosition = { xAdvance: number; xOffset: number; yOffset: number };

  export type Font = {
    unitsPerEm: number;
    ascent: number;
    descent: number;
    capHeight: number;
    bbox: { minX: number; minY: number; maxX: number; maxY: number };
    hasGlyphForCodePoint(codePoint: number): boolean;
    /** `features` switches features of OpenType on or off. */
    layout(text: string, features: Record<string, boolean>): { glyphs: Glyph[]; positions: GlyphPosition[] };
  };
  export function create(bytes: Buffer): Font;
}
