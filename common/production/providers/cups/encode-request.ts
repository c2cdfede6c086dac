/** The operations in use (RFC 8011, 5.4.15). */
export const operations = {
  'Print-Job': 0x0002,
  'Cancel-Job': 0x0008,
  'Get-Job-Attributes': 0x0009,
  'Get-Jobs': 0x000a,
  'Get-Printer-Attributes': 0x000b,
} as const;

export type Operation = keyof typeof operations;

/** Delimiters of attribute groups (RFC 8010, 3.5.1). */
export const groupTags = { operation: 0x01, job: 0x02, end: 0x03, printer: 0x04 } as const;

/** Syntaxes of attribute values (RFC 8010, 3.5.2). */
export const valueTags = {
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  textWithLanguage: 0x35,
  nameWithLanguage: 0x36,
  text: 0x41,
  name: 0x42,
  keyword: 0x44,
  uri: 0x45,
  charset: 0x47,
  naturalLanguage: 0x48,
  mimeMediaType: 0x49,
} as const;

type Syntax = 'integer' | 'boolean' | 'name' | 'keyword' | 'uri' | 'charset' | 'naturalLanguage' | 'mimeMediaType';

/** An attribute of a request, with one value or several. */
export type RequestAttribute = { name: string; syntax: Syntax; values: readonly (string | number | boolean)[] };

type IppRequest = {
  operation: Operation;
  /** 1 to 2^31 - 1. The answer repeats it. */
  requestId: number;
  printerUri: string;
  user: string;
  /** The job that the operation is about. */
  jobId?: number;
  operationAttributes?: readonly RequestAttribute[];
  jobAttributes?: readonly RequestAttribute[];
};

/** Describes an attribute of a request. */
export function attribute(name: string, syntax: Syntax, ...values: (string | number | boolean)[]): RequestAttribute {
  return { name, syntax, values };
}

/** The longest `name` value and the longest `uri` value in bytes (RFC 8011, 5.1.3 and 5.1.6). */
export const maxNameBytes = 255;
export const maxUriBytes = 1023;

/**
 * Encodes an IPP/2.0 request up to its document, which follows without a delimiter (RFC 8010, 3.1). Charset and language
 * come first and the target directly after them (RFC 8011, 4.1.4 and 4.1.5).
 */
export function encodeRequest(request: IppRequest): Buffer {
  const { operation, requestId, printerUri, user, jobId, operationAttributes = [], jobAttributes = [] } = request;
  const head = Buffer.alloc(8);
  head.writeUInt16BE(0x0200, 0);
  head.writeUInt16BE(operations[operation], 2);
  head.writeInt32BE(requestId, 4);
  const target = [
    attribute('attributes-charset', 'charset', 'utf-8'),
    attribute('attributes-natural-language', 'naturalLanguage', 'en'),
    attribute('printer-uri', 'uri', printerUri),
    ...(jobId === undefined ? [] : [attribute('job-id', 'integer', jobId)]),
    attribute('requesting-user-name', 'name', user),
  ];
  return Buffer.concat([
    head,
    ...encodeGroup(groupTags.operation, [...target, ...operationAttributes]),
    ...(jobAttributes.length > 0 ? encodeGroup(groupTags.job, jobAttributes) : []),
    Buffer.from([groupTags.end]),
  ]);
}

function encodeGroup(tag: number, attributes: readonly RequestAttribute[]): Buffer[] {
  return [Buffer.from([tag]), ...attributes.flatMap(encodeAttribute)];
}

/** Further values of an attribute have an empty name (RFC 8010, 3.1.5). */
function encodeAttribute({ name, syntax, values }: RequestAttribute): Buffer[] {
  return values.flatMap((value, index) => [
    Buffer.from([valueTags[syntax]]),
    withLength(Buffer.from(index === 0 ? name : '')),
    withLength(encodeValue(value)),
  ]);
}

function encodeValue(value: string | number | boolean): Buffer {
  if (typeof value === 'string') return Buffer.from(value);
  if (typeof value === 'boolean') return Buffer.from([value ? 1 : 0]);
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function withLength(bytes: Buffer): Buffer {
  if (bytes.length > maxUriBytes) throw new RangeError(`An IPP value of ${bytes.length} bytes is too long.`);
  const length = Buffer.alloc(2);
  length.writeInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
