const tooHard = {
  code: 'FILE_UNREADABLE',
  message: 'could not be opened within the limits of time, memory and size. Export it again in a simpler form.',
} as const;

/**
 * The reasons why a document cannot be printed: the code that the mail job fails with, and the text that follows "File
 * 3". Security: a child process reports the name of a fault, never a text.
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
    message: 'is protected by a password. Save it without protection and upload it again.',
  },
  printing_forbidden: {
    code: 'FILE_UNREADABLE',
    message:
      'may not be printed: its author set restrictions that forbid it. Ask the author for a version that may be printed, and upload that.',
  },
  undrawn_content: {
    code: 'FILE_UNREADABLE',
    message:
      'shows only a notice instead of its content, which another program has to draw. Open it in Adobe Acrobat, print it to a new PDF, then upload that.',
  },
  damaged_pdf: {
    code: 'FILE_UNREADABLE',
    message:
      'is a damaged PDF: parts of it are missing or contradict each other. Export it again, then upload the new file.',
  },
  endless_pages: {
    code: 'FILE_UNREADABLE',
    message: 'has a list of pages that contains itself. Export the PDF again, then upload the new file.',
  },
  unpacks_too_large: {
    code: 'FILE_UNREADABLE',
    message: 'unpacks to more than 500 MB. Reduce its images and upload it again.',
  },
  prints_too_large: {
    code: 'FILE_UNREADABLE',
    message:
      'would print as a file many times its own size. Print it to a new PDF or export it again, and upload that.',
  },
  undrawn_field: {
    code: 'FILE_UNREADABLE',
    message:
      'has completed form fields that would be printed empty: the PDF does not contain their text as drawn. Print the form to a new PDF, then upload that.',
  },
  undrawn_mark: {
    code: 'FILE_UNREADABLE',
    message:
      'has comments or marks that would be missing on paper: the PDF does not contain them as drawn. Print it to a new PDF, then upload that.',
  },
  unprintable_page: {
    code: 'FILE_UNREADABLE',
    message: 'has a page with a size or rotation that cannot be printed. Print it to a new PDF, and upload that.',
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
  too_hard: tooHard,
  /** Wall time limit exceeded. Not final, because a machine that swaps or waits for its disk causes it too. */
  out_of_time: tooHard,
  /** CPU time limit exceeded. Final only the second time, because a briefly slow machine causes it too. */
  out_of_cpu: tooHard,
} as const satisfies Record<string, { code: DocumentErrorCode; message: string }>;

export type DocumentErrorCode = 'FILE_UNREADABLE' | 'FILE_TYPE_MISMATCH' | 'PAGE_COUNT_MISMATCH';
export type DocumentFault = keyof typeof documentFaults;

type DocumentErrorOptions = { fault?: DocumentFault; fileIndex?: number; filePageCounts?: number[]; cause?: unknown };

/** The files cannot be printed on any machine: the mail job fails with `code` and is refunded, without a retry. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly code: DocumentErrorCode;
  /** The fault of the file that caused the error, if it was one file. */
  readonly fault: DocumentFault | undefined;
  /** Index of that file in the job's files, from 0. */
  readonly fileIndex: number | undefined;
  /** Page count of each file in order, when all of them could be counted. */
  readonly filePageCounts: number[] | undefined;

  /** `message` is for the sender, in English: what is wrong and how to fix it. */
  constructor(code: DocumentErrorCode, message: string, options: DocumentErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fault = options.fault;
    this.fileIndex = options.fileIndex;
    this.filePageCounts = options.filePageCounts;
  }
}

/** Returns the error for one file of a job. `fileIndex` starts at 0, the number in the text at 1. */
export function faultOfFile(fault: DocumentFault, fileIndex: number): DocumentError {
  const { code, message } = documentFaults[fault];
  return new DocumentError(code, `File ${fileIndex + 1} ${message}`, { fault, fileIndex });
}

export function isDocumentFault(value: unknown): value is DocumentFault {
  return typeof value === 'string' && Object.hasOwn(documentFaults, value);
}
