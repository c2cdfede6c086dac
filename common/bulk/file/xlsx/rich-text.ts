import type { XmlToken } from './read-xml.ts';

/** Gathers the text of an element with runs, as cells and shared strings have it. Phonetic guides are left out. */
export type RichText = {
  add(token: XmlToken): void;
  /** Returns the text, and begins the next one. */
  take(): string;
};

/** Creates a reader of rich text (ECMA-376 Part 1, 18.4.8 `si` and 18.3.1.53 `is`). */
export function createRichText(): RichText {
  let [text, isText, isPhonetic] = ['', false, false];
  return {
    add(token) {
      if (token.kind === 'text') {
        if (isText && !isPhonetic) text += token.text;
      } else if (token.name === 't') isText = token.kind === 'open';
      else if (token.name === 'rPh') isPhonetic = token.kind === 'open';
    },
    take() {
      const taken = unescapeXstring(text);
      [text, isText, isPhonetic] = ['', false, false];
      return taken;
    },
  };
}

/** Returns a text with the characters that XML cannot hold: `_x000D_` (ECMA-376 Part 1, 22.9.2.19). */
export function unescapeXstring(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
