import { TableFault } from '../table-fault.ts';

/** A piece of an XML document. Names are without their prefix. `open` of an empty element is followed by its `close`. */
export type XmlToken =
  | { kind: 'open'; name: string; attributes: string }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string };

const stepBytes = 64 * 1024;
/** A longer tag or comment is no part of a workbook. */
const maxTagLength = 1024 * 1024;

/**
 * Yields the tags and texts of an XML document in UTF-8, reading on only as they are consumed. Comments, instructions and
 * CDATA marks are left out, and entities are not expanded beyond the five of XML and character references. Checks no
 * nesting. Throws TableFault for a tag that never ends.
 */
export function* readXml(bytes: Buffer): Generator<XmlToken> {
  let rest = '';
  for (const step of decode(bytes)) {
    const text = rest + step;
    let at = 0;
    for (;;) {
      const start = text.indexOf('<', at);
      if (start < 0) break;
      const end = findTagEnd(text, start);
      if (end < 0) break;
      if (start > at) yield { kind: 'text', text: unescapeXml(text.slice(at, start)) };
      yield* toTokens(text.slice(start, end));
      at = end;
    }
    rest = text.slice(at);
    if (rest.length > maxTagLength + stepBytes) throw new TableFault('damaged_xlsx');
  }
  if (rest.includes('<')) throw new TableFault('damaged_xlsx');
}

function* decode(bytes: Buffer): Generator<string> {
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; at += stepBytes) {
    yield decoder.decode(bytes.subarray(at, at + stepBytes), { stream: at + stepBytes < bytes.length });
  }
}

/** Constructs that are not tags, and what ends them. */
const others = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** Returns the index after the tag that begins at `start`, or -1 when the text ends before. */
function findTagEnd(text: string, start: number): number {
  const second = text[start + 1];
  if (second === '!' || second === '?') {
    for (const [opening, closing] of others) {
      if (!text.startsWith(opening, start)) continue;
      const at = text.indexOf(closing, start + opening.length);
      return at < 0 ? -1 : at + closing.length;
    }
    // The start of a comment may be cut off here.
    if (text.length - start < 9) return -1;
  }
  const end = text.indexOf('>', start);
  return end < 0 ? -1 : end + 1;
}

function* toTokens(tag: string): Generator<XmlToken> {
  if (tag.startsWith('<![CDATA[')) yield { kind: 'text', text: tag.slice(9, -3) };
  if (tag[1] === '!' || tag[1] === '?') return;
  if (tag[1] === '/') {
    yield { kind: 'close', name: localName(tag.slice(2, -1).trim()) };
    return;
  }
  const isEmpty = tag.at(-2) === '/';
  const inside = tag.slice(1, isEmpty ? -2 : -1);
  const space = inside.search(/\s/);
  const name = localName(space < 0 ? inside : inside.slice(0, space));
  yield { kind: 'open', name, attributes: space < 0 ? '' : inside.slice(space) };
  if (isEmpty) yield { kind: 'close', name };
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Returns the value of an attribute, by its name without prefix; undefined without one. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const at = new RegExp(`[\\s:]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  const value = at?.[1] ?? at?.[2];
  return value === undefined ? undefined : unescapeXml(value);
}

const entities: Partial<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const maxCodePoint = 0x10ffff;

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= maxCodePoint ? String.fromCodePoint(code) : whole;
  });
}
