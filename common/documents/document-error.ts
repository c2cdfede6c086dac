/**
 * Why a document cannot be printed, as the child process that opened it says it: one row each, the code the mail job
 * fails with and the sentence that follows "File 3". Children send the name of a row, never a text of their own.
 */
export const documentFaults = {
  not_what_declared: {
    code: 'FILE_TYPE_MISMATCH',
    message: 'is not what its mimeType says. Upload it again with the type it really has.',
  },
  two_types_at_once: {
    code: 'FILE_TYPE_MISMATCH',
    message: 'is a PDF and a ZIP archive at the same time. Upload a PDF that is nothing else.',
  },
  locked: {
    code: 'FILE_UNREADABLE',
    message: 'is protected by a password or by restrictions. Save it without protection and upload it again.',
  },
  damaged_pdf: {
    code: 'FILE_UNREADABLE',
    message: 'is a damaged PDF: parts of it are missing or contradict each other. Export it again and upload it anew.',
  },
  endless_pages: {
    code: 'FILE_UNREADABLE',
    message: 'has a list of pages that contains itself. Export the PDF again and upload it anew.',
  },
  unpacks_too_large: {
    code: 'FILE_UNREADABLE',
    message: 'unpacks to more than 500 MB. Reduce its images and upload it again.',
  },
  too_many_pages: {
    code: 'PAGE_COUNT_MISMATCH',
    message: 'alone has more than 2,000 pages, the most one mail job may have. Split it over several mail jobs.',
  },
  damaged_image: {
    code: 'FILE_UNREADABLE',
    message: 'is a damaged or incomplete image. Upload the whole file again.',
  },
  image_too_large: {
    code: 'FILE_UNREADABLE',
    message:
      'has too many pixels: 50 megapixels and 16,384 pixels a side are the most. Scale it down and upload it again.',
  },
  too_hard: {
    code: 'FILE_UNREADABLE',
    message: 'could not be opened within the limits of time, memory and size. Export it again in a simpler form.',
  },
} as const satisfies Record<string, { code: DocumentErrorCode; message: string }>;

export type DocumentErrorCode = 'FILE_UNREADABLE' | 'FILE_TYPE_MISMATCH' | 'PAGE_COUNT_MISMATCH';
export type DocumentFault = keyof typeof documentFaults;

type DocumentErrorOptions = { fileIndex?: number; filePageCounts?: number[]; cause?: unknown };

/** The files cannot be printed, whoever tries: the mail job fails with `code` and is refunded. Never retried. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly code: DocumentErrorCode;
  /** Index in the job's files, from 0, when one file is to blame. */
  readonly fileIndex: number | undefined;
  /** Pages of each file in order, when all of them could be counted. */
  readonly filePageCounts: number[] | undefined;

  /** `message` is English and for the sender: what is wrong and what to do about it. */
  constructor(code: DocumentErrorCode, message: string, options: DocumentErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fileIndex = options.fileIndex;
    this.filePageCounts = options.filePageCounts;
  }
}

/** The error for one file of a job; `fileIndex` counts from 0, the text from 1. */
export function faultOfFile(fault: DocumentFault, fileIndex: number): DocumentError {
  const { code, message } = documentFaults[fault];
  return new DocumentError(code, `File ${fileIndex + 1} ${message}`, { fileIndex });
}

export function isDocumentFault(value: unknown): value is DocumentFault {
  return typeof value === 'string' && Object.hasOwn(documentFaults, value);
}
