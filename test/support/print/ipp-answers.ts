import { groupTags, operations, valueTags } from '#common/production/providers/cups/encode-request.ts';

/** An attribute of an answer: its name, tag and values. A string or number is encoded, a Buffer is sent as it is. */
export type AnswerAttribute = [name: string, tag: number, ...values: (string | number | boolean | Buffer)[]];

export type AnswerParts = {
  requestId: number;
  status?: number;
  groups?: [tag: number, ...attributes: AnswerAttribute[]][];
  statusMessage?: string;
};

const {
  charset,
  naturalLanguage,
  keyword,
  boolean,
  name: nameTag,
  integer,
  enum: enumTag,
  mimeMediaType,
  text,
} = valueTags;

/** Encodes an answer as a printer does, independently of the encoder of the product. */
export function ippAnswer({ requestId, status = 0, groups = [], statusMessage }: AnswerParts): Buffer {
  const head = Buffer.from([2, 0, status >> 8, status & 0xff, 0, 0, 0, 0]);
  head.writeInt32BE(requestId, 4);
  const operationGroup: AnswerAttribute[] = [
    ['attributes-charset', charset, 'utf-8'],
    ['attributes-natural-language', naturalLanguage, 'en'],
    ...(statusMessage === undefined ? [] : [['status-message', text, statusMessage] as AnswerAttribute]),
  ];
  const all: [number, ...AnswerAttribute[]][] = [[groupTags.operation, ...operationGroup], ...groups];
  const encoded = all.flatMap(([tag, ...attributes]) => [Buffer.from([tag]), ...attributes.map(encode)]);
  return Buffer.concat([head, ...encoded, Buffer.from([groupTags.end])]);
}

function encode([name, tag, ...values]: AnswerAttribute): Buffer {
  return Buffer.concat(
    values.flatMap((value, index) => [
      Buffer.from([tag]),
      field(Buffer.from(index === 0 ? name : '')),
      field(toBytes(value)),
    ]),
  );
}

function toBytes(value: string | number | boolean | Buffer): Buffer {
  if (Buffer.isBuffer(value)) return value;
  if (typeof value === 'string') return Buffer.from(value);
  if (typeof value === 'boolean') return Buffer.from([Number(value)]);
  return Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
}

function field(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

/** The printer attributes of an answer, all that letters need. Overrides replace attributes by name. */
export function printerGroup(overrides: AnswerAttribute[] = []): [number, ...AnswerAttribute[]] {
  const attributes: AnswerAttribute[] = [
    ['printer-state', enumTag, 3],
    ['printer-state-reasons', keyword, 'none'],
    ['printer-is-accepting-jobs', boolean, true],
    ['operations-supported', enumTag, ...Object.values(operations)],
    ['document-format-supported', mimeMediaType, 'application/octet-stream', 'application/pdf'],
    ['sides-supported', keyword, 'one-sided', 'two-sided-long-edge'],
    ['media-supported', keyword, 'na_letter_8.5x11in', 'iso_a4_210x297mm'],
    ['which-jobs-supported', keyword, 'completed', 'not-completed', 'all'],
    ['print-color-mode-supported', keyword, 'monochrome', 'color'],
  ];
  const replaced = attributes.map((attribute) => overrides.find(([name]) => name === attribute[0]) ?? attribute);
  return [groupTags.printer, ...replaced];
}

/** The attributes of a job in an answer. */
export function jobGroup(jobId: number, name = `mi_${jobId}`, state = 3): [number, ...AnswerAttribute[]] {
  return [
    groupTags.job,
    ['job-id', integer, jobId],
    ['job-name', nameTag, name],
    ['job-state', enumTag, state],
    ['job-state-reasons', keyword, 'none'],
  ];
}
