/** A path, a Blob or File, bytes, or a stream of bytes. */
export type FileSource = string | URL | Blob | ArrayBuffer | Uint8Array | AsyncIterable<Uint8Array> | ReadableStream;

/** A file in memory, with the name and type that the upload declares. */
export type ReadFile = { blob: Blob; filename: string; mimeType: MimeType };

const maxBytes = 20 * 1024 * 1024;
const mimeTypes = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  heic: 'image/heic',
  heif: 'image/heif',
} as const;

/** The types of files that can be printed. */
export type MimeType = (typeof mimeTypes)[keyof typeof mimeTypes];

/**
 * Reads a file of at most 20 MiB. Its type is the given one, that of the Blob, or follows from the name; otherwise it is
 * a PDF. Throws a TypeError for another type, a RangeError when the file is empty or too large, each with the code
 * `INVALID_FILE`.
 */
export async function readSource(
  source: FileSource,
  given: { filename?: string | undefined; mimeType?: MimeType | undefined } = {},
): Promise<ReadFile> {
  const filename = given.filename ?? nameOf(source) ?? 'letter.pdf';
  const blob = await readBlob(source);
  if (blob.size === 0) throw invalid(new RangeError('The file is empty.'));
  if (blob.size > maxBytes)
    throw invalid(new RangeError(`The file has ${blob.size} bytes; at most ${maxBytes} are allowed.`));
  const declared = source instanceof Blob && source.type !== '' ? source.type : typeOfName(filename);
  const mimeType = (given.mimeType ?? declared) as MimeType;
  if (!Object.values(mimeTypes).includes(mimeType)) {
    const types = Object.keys(mimeTypes).join(', ');
    throw invalid(new TypeError(`Files of type ${mimeType} cannot be printed. Send ${types}.`));
  }
  return { blob, filename, mimeType };
}

function invalid(error: Error): Error {
  return Object.assign(error, { code: 'INVALID_FILE' });
}

function nameOf(source: FileSource): string | undefined {
  if (typeof source === 'string' || source instanceof URL) return String(source).split(/[\\/]/).at(-1);
  const { name } = source as { name?: unknown };
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function typeOfName(filename: string): string {
  const ending = /\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? 'pdf';
  return mimeTypes[ending as keyof typeof mimeTypes] ?? ending;
}

async function readBlob(source: FileSource): Promise<Blob> {
  if (source instanceof Blob) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return new Blob([source as Uint8Array<ArrayBuffer>]);
  if (typeof source === 'string' || source instanceof URL) {
    const { readFile } = await import('node:fs/promises');
    return new Blob([new Uint8Array(await readFile(source))]);
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of source as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw invalid(new RangeError(`The stream has more than ${maxBytes} bytes.`));
    chunks.push(chunk);
  }
  return new Blob(chunks);
}
