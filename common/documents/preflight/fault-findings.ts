import { type DocumentFault, documentFaults } from '../isolation/document-error.ts';
import type { Finding } from './finding.ts';

/** Returns the finding about a file that cannot be printed. `fileIndex` starts at 0, the number in the text at 1. */
export function findingOfFault(fault: DocumentFault, fileIndex: number): Finding {
  const { message } = documentFaults[fault];
  // Each text is two sentences: what is wrong, and what to do.
  const end = message.indexOf('. ') + 1;
  return {
    code: codeOfFault(fault),
    severity: 'error',
    page: null,
    boxMm: null,
    message: `File ${fileIndex + 1} ${message.slice(0, end)}`,
    fix: message.slice(end + 1),
  };
}

/** Returns the code that a finding has. The limits of time, memory and size have one. */
export function codeOfFault(fault: DocumentFault): keyof typeof faultDocumentation {
  return fault === 'out_of_time' || fault === 'out_of_cpu' ? 'too_hard' : fault;
}

/** What the documentation says about each fault, beside its text. */
export const faultDocumentation = {
  not_what_declared: {
    title: 'The file is of another type',
    explanation:
      'The first bytes of the file are not those of the type that was declared for the upload. A file that was renamed keeps its type.',
  },
  two_types_at_once: {
    title: 'The file is of two types at once',
    explanation: 'The file is a PDF and a ZIP archive. What is printed would depend on the program that opens it.',
  },
  locked: {
    title: 'The PDF is protected',
    explanation:
      'The PDF is encrypted and opens only with a password, a certificate or a rights manager. Restrictions on changes and copying alone do no harm.',
  },
  printing_forbidden: {
    title: 'The author of the PDF forbids printing',
    explanation:
      'The PDF opens without a password, but its author set restrictions that do not allow it to be printed. We respect them.',
  },
  undrawn_content: {
    title: 'The PDF shows only a notice',
    explanation:
      'The pages of the PDF only say that another program is needed. Its content is a form in XFA, which Adobe programs draw when they open it, or an encrypted document inside the PDF.',
  },
  damaged_pdf: {
    title: 'The PDF is damaged',
    explanation:
      'Parts of the file are missing or contradict each other. Some readers repair such files by guessing, so that two of them may show different pages. A file that was not uploaded completely is damaged too.',
  },
  endless_pages: {
    title: 'The list of pages contains itself',
    explanation: 'The page tree of the PDF leads back to itself, so it has no number of pages.',
  },
  unpacks_too_large: {
    title: 'The PDF unpacks to too much',
    explanation: 'The compressed content of the PDF has more than 500 MB when it is unpacked, mostly as images.',
  },
  prints_too_large: {
    title: 'The PDF would grow when it is printed',
    explanation:
      'Objects of the PDF are so often repeated or so densely packed that the printed file would be many times larger.',
  },
  undrawn_field: {
    title: 'A form field would be printed empty',
    explanation:
      'A completed form field of the PDF has a value, but not the drawing of it that is printed. Some programs leave the drawing to the reader.',
  },
  undrawn_mark: {
    title: 'A comment or mark would be missing',
    explanation:
      'A comment or mark is to be printed, but the PDF does not contain its drawing. Some programs leave the drawing to the reader.',
  },
  unprintable_page: {
    title: 'A page has an impossible size or rotation',
    explanation:
      'A page of the PDF has no area, or a size, unit or rotation beyond a million. Programs show such a page in different ways or not at all.',
  },
  too_many_pages: {
    title: 'The file has too many pages',
    explanation:
      'A mail job has at most 2,000 pages, which are 1,000 sheets of about 5 kg when both sides are printed.',
  },
  damaged_image: {
    title: 'The image is damaged',
    explanation: 'The image cannot be decoded completely. It was probably not uploaded to its end.',
  },
  image_too_large: {
    title: 'The image has too many pixels',
    explanation:
      'Images may have 50 megapixels and 16,384 pixels a side. An A4 page at 300 dots per inch has 9 megapixels.',
  },
  too_hard: {
    title: 'The file takes too long or too much memory',
    explanation:
      'Opening the file exceeded a limit of time, memory or size. Drawings with very many parts, as from maps or CAD programs, are the usual cause.',
  },
} as const satisfies Partial<Record<DocumentFault, { title: string; explanation: string }>>;
