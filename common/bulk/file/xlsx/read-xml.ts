import { SaxesParser } from 'saxes';
import { TableFault } from '../table-fault.ts';
import type { ZipEntry } from '../zip-directory.ts';

/**
 * A piece of an XML document. Names of elements are without their prefix, those of attributes with it. `open` of an empty
 * element is followed by its `close`.
 */
export type XmlToken =
  | { kind: 'open'; name: string; attributes: Readonly<Partial<Record<string, string>>> }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string };

/** A longer tag, text or comment is no part of a workbook. */
const maxTokenLength = 1024 * 1024;
const maxDepth = 100;
/** Faults in a text that leave the text as it is. All others may hide rows. */
const harmless = ['undefined entity.', 'disallowed character.', 'malformed character entity.'];

/**
 * Yields the tags and texts of an XML document in UTF-8, unpacking and reading on only as they are consumed. Yields
 * nothing without a document. Comments, instructions and declarations are left out, and entities are not expanded beyond
 * the five of XML and character references. Throws TableFault for a document that is not well-formed.
 */
export async function* readXml(part: ZipEntry | undefined): AsyncGenerator<XmlToken[]> {
  if (!part) return;
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  let [tokens, depth, lastAt] = [[] as XmlToken[], 0, 0];
  const add = (token: XmlToken) => {
    tokens.push(token);
    lastAt = parser.position;
  };
  const refuseIf = (isDamaged: boolean) => {
    if (isDamaged) throw new TableFault('damaged_xlsx');
  };
  parser.on('error', ({ message }) => refuseIf(!harmless.includes(message)));
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    refuseIf(depth > maxDepth);
    add({ kind: 'open', name: localName(name), attributes });
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    add({ kind: 'close', name: localName(name) });
  });
  parser.on('text', (text) => add({ kind: 'text', text }));
  parser.on('cdata', (text) => add({ kind: 'text', text }));

  const decoder = new TextDecoder();
  for await (const bytes of part.unpack()) {
    parser.write(decoder.decode(bytes, { stream: true }));
    refuseIf(parser.position - lastAt > maxTokenLength);
    yield tokens;
    tokens = [];
  }
  parser.write(decoder.decode()).close();
  yield tokens;
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);
