import { groupTags, valueTags } from './encode-request.ts';

/** A value of an attribute. It is null for syntaxes that are not in use here, and for out-of-band values. */
export type AnswerValue = { tag: number; value: string | number | boolean | null };

export type AnswerGroup = { tag: number; attributes: ReadonlyMap<string, readonly AnswerValue[]> };

/** A decoded answer. `status` is an IPP status code, which the HTTP status does not show. */
export type IppAnswer = { status: number; groups: readonly AnswerGroup[] };

/** Bytes that are not an answer of IPP, or not the answer to the request. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError';
}

/** A page of 500 jobs has 501 groups and some 3,000 values. */
const maxGroups = 2_000;
const maxValues = 20_000;
const maxDepth = 8;
const collectionTags = { begin: 0x34, end: 0x37, memberName: 0x4a } as const;
/** Tags from here on are values (RFC 8010, 3.5.2). Lower ones delimit groups. */
const firstValueTag = 0x10;

/**
 * Decodes the answer to the request with this id (RFC 8010, 3). Throws `MalformedAnswerError` unless all bytes are one
 * well-formed answer without a document. Never reads beyond the bytes, recurses or loops without progress. Limits
 * groups and values, so that its memory is bounded by the size of the answer.
 */
export function decodeAnswer(bytes: Buffer, requestId: number): IppAnswer {
  const reader = new ByteReader(bytes);
  const major = reader.byte();
  reader.byte();
  if (major !== 1 && major !== 2) throw new MalformedAnswerError(`unknown version ${major}`);
  const status = reader.short();
  if (reader.integer() !== requestId) throw new MalformedAnswerError('answers another request');

  const groups: AnswerGroup[] = [];
  const values = { left: maxValues };
  let tag = reader.byte();
  while (tag !== groupTags.end) {
    if (tag === 0 || tag >= firstValueTag) throw new MalformedAnswerError('a value outside a group');
    if (groups.length === maxGroups) throw new MalformedAnswerError('too many groups');
    const group = decodeGroup(reader, tag, values);
    groups.push(group.decoded);
    tag = group.nextTag;
  }
  if (groups[0]?.tag !== groupTags.operation) throw new MalformedAnswerError('no operation attributes');
  if (reader.left > 0) throw new MalformedAnswerError('bytes behind the end');
  return { status, groups };
}

function decodeGroup(
  reader: ByteReader,
  groupTag: number,
  values: { left: number },
): { decoded: AnswerGroup; nextTag: number } {
  const attributes = new Map<string, AnswerValue[]>();
  let current: AnswerValue[] | undefined;
  let depth = 0;
  for (;;) {
    const tag = reader.byte();
    if (tag < firstValueTag) {
      if (depth > 0) throw new MalformedAnswerError('an open collection');
      return { decoded: { tag: groupTag, attributes }, nextTag: tag };
    }
    values.left -= 1;
    if (values.left < 0) throw new MalformedAnswerError('too many values');
    const name = decodeText(reader.field());
    const field = reader.field();

    // Members of collections have no names of their own (RFC 8010, 3.1.6). None is in use here.
    const isMember = depth > 0;
    if (tag === collectionTags.begin) depth += 1;
    if (tag === collectionTags.end) depth -= 1;
    if (depth > maxDepth || depth < 0) throw new MalformedAnswerError('collections do not match');
    if (isMember) {
      if (name !== '') throw new MalformedAnswerError('a name in a collection');
      continue;
    }
    if (tag === collectionTags.memberName) throw new MalformedAnswerError('a member without a collection');
    if (name !== '') {
      if (attributes.has(name)) throw new MalformedAnswerError('an attribute is there twice');
      current = [];
      attributes.set(name, current);
    }
    if (!current) throw new MalformedAnswerError('a value without a name');
    current.push({ tag, value: decodeValue(tag, field) });
  }
}

function decodeValue(tag: number, field: Buffer): AnswerValue['value'] {
  switch (tag) {
    case valueTags.integer:
    case valueTags.enum:
      if (field.length !== 4) throw new MalformedAnswerError('an integer without four bytes');
      return field.readInt32BE(0);
    case valueTags.boolean:
      if (field.length !== 1 || (field[0] ?? 2) > 1) throw new MalformedAnswerError('a boolean that is none');
      return field[0] === 1;
    case valueTags.textWithLanguage:
    case valueTags.nameWithLanguage:
      return decodeWithLanguage(field);
    case valueTags.text:
    case valueTags.name:
    case valueTags.keyword:
    case valueTags.uri:
    case valueTags.mimeMediaType:
      return decodeText(field);
    default:
      return null;
  }
}

/** Returns the text of a value that consists of a language and a text, each with its length (RFC 8010, 3.9). */
function decodeWithLanguage(field: Buffer): string {
  const parts = new ByteReader(field);
  parts.field();
  const text = parts.field();
  if (parts.left > 0) throw new MalformedAnswerError('a text with a wrong length');
  return decodeText(text);
}

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MalformedAnswerError('text that is not UTF-8');
  }
}

/** Reads from front to back, and throws instead of reading beyond the end. */
class ByteReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#position;
  }

  byte(): number {
    return this.#take(1).readUInt8(0);
  }

  short(): number {
    return this.#take(2).readUInt16BE(0);
  }

  integer(): number {
    return this.#take(4).readInt32BE(0);
  }

  /** Returns the bytes behind a length, a SIGNED-SHORT that must not be negative (RFC 8010, 3.9). */
  field(): Buffer {
    const length = this.#take(2).readInt16BE(0);
    if (length < 0) throw new MalformedAnswerError('a negative length');
    return this.#take(length);
  }

  #take(count: number): Buffer {
    if (count > this.left) throw new MalformedAnswerError('it ends too early');
    this.#position += count;
    return this.#bytes.subarray(this.#position - count, this.#position);
  }
}
