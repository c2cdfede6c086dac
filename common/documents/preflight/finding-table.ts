import type { FitNote } from '../pdf/fitting/fit-to-a4.ts';
import { type BoxMm, edgeMm } from '../sheet/a4.ts';
import type { Severity } from './finding.ts';
import { formatPaper, formatPercent, formatPlace, formatSize } from './format-measures.ts';

/** A kind of finding, and its documentation. */
export type FindingRow<Data> = {
  severity: Severity;
  message: (data: Data) => string;
  fix: string;
  title: string;
  /** Two to four sentences. */
  explanation: string;
  /** How to do it in common programs; null when the fix says it. */
  howTo: string | null;
};

/** `at`: the page, at the start of a sentence, such as `Page 3`. */
type At = { at: string };
type AtBox = At & { box: BoxMm };

/** Why the address is not on page 1, although its window may be blank. */
export type CoverPageReason = 'notA4' | 'notMeasured' | 'severalRecipients';
const coverPageReasons: Record<CoverPageReason, string> = {
  notA4: 'Page 1 is not upright A4, so the place of the window is not known.',
  notMeasured: 'Page 1 could not be checked, so it is not known whether the window is blank.',
  severalRecipients: 'The document shows something in the window, and the letter has several recipients.',
};

const row = <Data>(columns: FindingRow<Data>) => columns;

/** All kinds of finding, but for the faults of single files that cannot be printed: these are in `fault-findings`. */
export const findingTable = {
  address_not_printable: row<{ recipientIndex: number | null; problem: string }>({
    severity: 'error',
    message: ({ recipientIndex, problem }) => {
      const whose = recipientIndex === null ? 'the sender' : `recipient ${recipientIndex + 1}`;
      return `The address of ${whose} cannot be printed. ${problem}`;
    },
    fix: 'Correct the address, then send the letter again.',
    title: 'An address cannot be printed',
    explanation:
      'The address must fit into the window of the envelope at 7 points or more, and every character must be in a font of the printer. The message names the recipient and the problem.',
    howTo: null,
  }),
  address_small: row<{ recipientIndex: number | null; problem: string }>({
    severity: 'warning',
    message: ({ recipientIndex, problem }) =>
      `The address of recipient ${(recipientIndex ?? 0) + 1} is printed small. ${problem}`,
    fix: 'Nothing, if the address cannot be written shorter.',
    title: 'An address is printed small',
    explanation:
      'An address with long or many lines is printed in smaller letters to fit into the window of the envelope: at 10 points if it fits, and at no less than 7. Below 8 points it is hard to read for people and machines. The message names what to shorten.',
    howTo: null,
  }),
  page_scaled: row<At & FitNote>({
    severity: 'warning',
    message: ({ at, widthMm, heightMm, turnedDegrees, scalePercent }) => {
      const how =
        scalePercent === 100 ? 'in its own size in the middle of A4' : `at ${formatPercent(scalePercent)} on A4`;
      const turned = turnedDegrees === 0 ? '' : ', turned by 90 degrees with its top at the left';
      return `${at} is ${formatPaper(widthMm, heightMm)}, not A4 (210 x 297 mm). It is printed ${how}${turned}.`;
    },
    fix: 'Nothing, if that size is fine. Otherwise set the paper size of the document to A4 and export it again.',
    title: 'A page is not A4 and is scaled',
    explanation:
      'Letters are printed on A4 paper. A page of another size is scaled to fit, centred and never cut off. It is turned when it is larger on the paper then. Pages such as A5 are enlarged by half at most; cards, receipts and slips keep their size. Pages up to 2 mm larger or smaller than A4 count as A4 and are not changed.',
    howTo:
      'Word: Layout, Size, A4. LibreOffice: Format, Page Style, Page. Browsers: choose A4 in the print dialog, not US Letter.',
  }),
  page_turned: row<At>({
    severity: 'info',
    message: ({ at }) => `${at} is A4 in landscape. It is printed turned by 90 degrees, its top at the left.`,
    fix: 'Nothing, if the reader may turn the page. Otherwise use portrait.',
    title: 'A page is in landscape and is turned',
    explanation:
      'All sheets of a letter lie upright in the envelope. A landscape page is printed on such a sheet, turned, in its own size.',
    howTo: null,
  }),
  page_not_a4: row<At & { widthMm: number; heightMm: number }>({
    severity: 'warning',
    message: ({ at, widthMm, heightMm }) =>
      `${at} is ${formatSize(widthMm, heightMm)} and cannot be fitted to A4 (210 x 297 mm). It may be cut off on paper.`,
    fix: 'Set the paper size of the document to A4 and export it again.',
    title: 'A page is not A4 and cannot be fitted',
    explanation:
      'Pages of other sizes are scaled to A4. This is not possible for a page that is larger than 14,400 points (5 m), has no area, or is rotated by something else than quarter turns, because programs show such pages in different ways. The size is that of the visible part of the page (the CropBox), after rotation.',
    howTo: null,
  }),
  portfolio: row<At>({
    severity: 'warning',
    message: ({ at }) => `${at} is the cover of a PDF portfolio. The files in the portfolio are not printed.`,
    fix: 'Upload the files of the portfolio that the letter needs, instead of the portfolio.',
    title: 'The files in a portfolio are not printed',
    explanation:
      'A PDF portfolio is a folder with files in it and a cover page. Only the pages of the cover are printed; files that are attached to a PDF never are.',
    howTo: 'Acrobat: open the portfolio, then save or print each file in it to a PDF of its own.',
  }),
  restricted: row<At>({
    severity: 'info',
    message: ({ at }) => `${at} begins a PDF whose author restricted what may be done with it. Printing is allowed.`,
    fix: 'Nothing.',
    title: 'A PDF has restrictions, but may be printed',
    explanation:
      'The PDF opens without a password, but its author restricted changes or copying with one. Printing is not restricted, so it is printed. A PDF whose author forbids printing is refused.',
    howTo: null,
  }),
  outside_printable_area: row<AtBox>({
    severity: 'warning',
    message: ({ at, box }) =>
      `${at} has content less than ${edgeMm} mm from its edge: ${formatPlace(box)}. Printers leave these edges blank, so that part is not printed.`,
    fix: `Move or shrink the content: leave at least ${edgeMm} mm blank at each edge.`,
    title: 'Content is outside the printable area',
    explanation:
      'The printer cannot print the outer 5 mm of the paper. Content there is missing on paper; what lies further inside is printed. Backgrounds that fill the page get a white border.',
    howTo: 'Word and LibreOffice: set all page margins to at least 5 mm, also for headers and footers.',
  }),
  window_not_blank: row<AtBox>({
    severity: 'warning',
    message: ({ at, box }) =>
      `${at} has content in the window of the envelope: ${formatPlace(box)}. The address is not printed there, and the content shows in the window.`,
    fix: 'Leave the window blank, or let a cover page be put in front of the letter.',
    title: 'The window of the envelope is not blank',
    explanation:
      'The recipient’s address is printed on page 1, where the envelope has its window. Content of the document there would show in the window. Cover pages are switched off for this account, so the letter is sent without one.',
    howTo: null,
  }),
  cover_page_added: row<AtBox>({
    severity: 'info',
    message: ({ at, box }) =>
      `${at} has content in the window of the envelope: ${formatPlace(box)}. A cover page with the address is put in front.`,
    fix: 'Nothing. To save the sheet, leave the window of the envelope blank on page 1.',
    title: 'A cover page is added',
    explanation:
      'The recipient’s address is printed on page 1, where the envelope has its window. If the document has content there, a cover page with the address is put in front of it, on a sheet of its own. Nothing of the document is changed.',
    howTo: null,
  }),
  cover_page_needed: row<{ reason: CoverPageReason }>({
    severity: 'warning',
    message: ({ reason }) => `${coverPageReasons[reason]} A cover page with the address is put in front.`,
    fix: 'Look at the proof. To do without the cover page, send an upright A4 page with a blank window.',
    title: 'A cover page is needed',
    explanation:
      'The address is printed on page 1 if that is upright A4 with a blank window. Without cover pages, a document may show an address of its own there, but then the letter has one recipient. In all other cases the address goes to a cover page, also if your organization has switched them off: a letter must not leave without its address.',
    howTo: null,
  }),
  not_measured: row<object>({
    severity: 'warning',
    message: () => 'The pages could not be checked. They are printed as they are.',
    fix: 'Look at the proof before the letter goes to press.',
    title: 'The pages could not be checked',
    explanation:
      'The letter can be printed, but checking its pages exceeded a limit of memory or time. That happens with very large files. Nothing else is known about its pages.',
    howTo: null,
  }),
  page_count_mismatch: row<{ expected: number; counted: string }>({
    severity: 'error',
    message: ({ expected, counted }) =>
      `The letter was sent with ${expected} as its number of pages, its files have ${counted}.`,
    fix: 'Send the letter again with the number of pages that its files have.',
    title: 'The number of pages is wrong',
    explanation:
      'A letter is priced by the number of pages that it is sent with. It is not printed when its files have another number.',
    howTo: null,
  }),
  files_too_large_together: row<object>({
    severity: 'error',
    message: () => 'The files together are too large to print.',
    fix: 'Reduce their images, or send them as several letters.',
    title: 'The files are too large together',
    explanation: 'Each file can be printed, but the whole letter would have more than 512 MB.',
    howTo: null,
  }),
  letter_too_long: row<{ pages: number; most: number }>({
    severity: 'error',
    message: ({ pages, most }) => `The files together have ${pages} pages, a letter has at most ${most}.`,
    fix: 'Send them as several letters.',
    title: 'The letter has too many pages',
    explanation: 'A letter has at most 2,000 pages, which are 1,000 sheets of about 5 kg when both sides are printed.',
    howTo: null,
  }),
  file_changed: row<object>({
    severity: 'error',
    message: () => 'A file is no longer the one that was uploaded.',
    fix: 'Upload it again, then use the new upload.',
    title: 'A file has changed',
    explanation:
      'The object store has another file than the one that was there when the letter was sent or the check was asked for, or none.',
    howTo: null,
  }),
  not_checked: row<object>({
    severity: 'error',
    message: () => 'The files could not be checked on our side.',
    fix: 'Check them again in a minute. The letter can be sent all the same; it is checked again then.',
    title: 'The check did not work',
    explanation: 'Something failed that the files did not cause, and several attempts did not help.',
    howTo: null,
  }),
  mark_zone_not_blank: row<AtBox>({
    severity: 'warning',
    message: ({ at, box }) =>
      `${at} has content where the sheet's mark is printed: ${formatPlace(box)}. A white field with the mark covers it.`,
    fix: 'Leave 5 to 14 mm from the left and 270 to 279 mm from the top blank on the front of each sheet.',
    title: 'Content is in the place of the sheet’s mark',
    explanation:
      'The front of each sheet has a small mark in the left margin, by which the machine knows which sheets belong in an envelope. It is printed on a white field of 9 x 9 mm, which covers content of the document.',
    howTo: null,
  }),
  font_not_embedded: row<{ fontName: string; page: number; pageCount: number }>({
    severity: 'warning',
    message: ({ fontName, page, pageCount }) => {
      const font = fontName === '' ? 'A font without a name' : `The font ${fontName}`;
      const pages = pageCount === 1 ? `on page ${page}` : `on ${pageCount} pages, the first of them page ${page}`;
      return `${font}, used ${pages}, is not embedded. Another font may be printed in its place.`;
    },
    fix: 'Export the PDF again with all fonts embedded.',
    title: 'A font is not embedded',
    explanation:
      'A PDF can contain its fonts or only name them. A font that is only named is replaced by a similar one, so that letters may look different or be missing. This also holds for Helvetica, Times, Courier, Symbol and ZapfDingbats.',
    howTo:
      'Word: File, Options, Save, Embed fonts in the file; then export as PDF/A. LibreOffice: Export as PDF, Archive (PDF/A). Acrobat: Preflight, Embed missing fonts.',
  }),
  low_resolution: row<AtBox & { dpi: number }>({
    severity: 'warning',
    message: ({ at, box, dpi }) =>
      `${at} has an image of ${dpi} dots per inch: ${formatPlace(box)}. Below 150 it looks blurred or jagged on paper.`,
    fix: 'Use a larger image, or scan with at least 200 dots per inch.',
    title: 'An image has a low resolution',
    explanation:
      'The resolution is the number of pixels of an image per inch of its printed size. Images below 150 dots per inch look blurred, and small text in them may be unreadable.',
    howTo:
      'Word: File, Options, Advanced, Image Size and Quality: do not compress images. Scanners: 200 to 300 dots per inch.',
  }),
  printed_grey: row<{ page: number; pageCount: number }>({
    severity: 'info',
    message: ({ page, pageCount }) =>
      `${pageCount === 1 ? `Page ${page} has colours` : `${pageCount} pages have colours, the first of them page ${page}`}. In a black-and-white letter, colours are printed as shades of grey.`,
    fix: 'Nothing. To print the colours, send the letter with color: true.',
    title: 'Colours are printed in grey',
    explanation:
      'The letter is not sent in colour. The proof shows the shades of grey that are printed: check that text and marks are still easy to tell apart.',
    howTo: null,
  }),
  blank_page: row<At>({
    severity: 'info',
    message: ({ at }) => `${at} is blank. It counts as a page.`,
    fix: 'Delete the page if it is not meant to be there.',
    title: 'A page is blank',
    explanation:
      'Nothing on the page is visible: it is empty, or all of its content is white or hidden. Blank pages are printed and counted as any other. They often come from an empty paragraph at the end of a document.',
    howTo: null,
  }),
  page_not_fully_checked: row<At>({
    severity: 'info',
    message: ({ at }) => `${at} is too large or has too many parts to be checked completely.`,
    fix: 'Look at its preview.',
    title: 'A page is not checked completely',
    explanation:
      'At most 20,000 texts, images and lines are looked at per page, and pages larger than A2 are checked less exactly. The page is printed completely.',
    howTo: null,
  }),
  larger_envelope: row<{ sheets: number; envelope: string }>({
    severity: 'info',
    message: ({ sheets, envelope }) => `The letter has ${sheets} sheets and is sent in a ${envelope} envelope.`,
    fix: 'Nothing. Letters of up to 6 sheets are sent in a DL envelope.',
    title: 'The letter needs a larger envelope',
    explanation: 'Up to 6 sheets are sent in a DL envelope, up to 18 in C5, and more in C4, where they are not folded.',
    howTo: null,
  }),
  several_envelopes: row<{ sheets: number; weightGrams: number; envelopes: number }>({
    severity: 'info',
    message: ({ sheets, weightGrams, envelopes }) =>
      `The letter has ${sheets} sheets and weighs ${weightGrams} g, so it is sent in ${envelopes} envelopes of at most 2 kg.`,
    fix: 'Nothing, if the recipient may get several envelopes. Otherwise shorten the letter.',
    title: 'The letter is sent in several envelopes',
    explanation: 'The post office takes letters of up to 2 kg. Each envelope is priced by its own weight.',
    howTo: null,
  }),
  more_findings: row<{ code: string; count: number }>({
    severity: 'info',
    message: ({ code, count }) => `${count} more findings of the kind ${code} are not listed.`,
    fix: 'Fix those that are listed, then check the letter again.',
    title: 'More findings of a kind',
    explanation: 'At most 20 findings of each kind are listed. This finding tells how many there are besides.',
    howTo: null,
  }),
};

export type FindingCode = keyof typeof findingTable;
