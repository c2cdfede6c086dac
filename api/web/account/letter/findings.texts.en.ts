/** The findings about a letter. */
export const findings = {
  title: 'Checks',
  lead: 'What we noticed in the files of this letter.',
  none: 'We noticed nothing that you should look at.',
  onPage: (page: string) => `Page ${page}`,
  wholeLetter: 'Whole letter',
  severities: { error: 'Error', warning: 'Warning', info: 'Note' },
  kinds: {
    address_not_printable: {
      what: 'An address cannot be printed',
      next: 'Correct the address, then send the letter again.',
    },
    address_small: { what: 'An address is printed small', next: 'Shorten the address if you can.' },
    page_not_a4: { what: 'A page is not A4 and cannot be fitted', next: 'Export the document as A4.' },
    page_scaled: {
      what: 'A page is not A4 and is fitted to it',
      next: 'Look at the page here. If it is too small or too large, export the document as A4.',
    },
    page_turned: {
      what: 'A landscape page is printed rotated',
      next: 'Nothing to do, unless the reader should not have to turn the page.',
    },
    portfolio: {
      what: 'Files inside a PDF portfolio are not printed',
      next: 'Upload the files that the letter needs instead of the portfolio.',
    },
    restricted: {
      what: 'A PDF has restrictions, but may be printed',
      next: 'Nothing to do.',
    },
    outside_printable_area: {
      what: 'Something is too close to the edge and will be missing',
      next: 'Leave at least 5 mm blank at each edge.',
    },
    window_not_blank: {
      what: 'Something shows in the window of the envelope',
      next: 'Leave this area blank, or allow cover pages in your profile.',
    },
    cover_page_added: {
      what: 'A cover page with the address is put in front',
      next: 'Nothing to do. To save the sheet, leave the window area blank.',
    },
    mark_zone_not_blank: { what: 'The mark of the sheet covers something', next: 'Leave the lower left margin blank.' },
    font_not_embedded: {
      what: 'A font is not embedded in the PDF',
      next: 'Export the PDF again with all fonts embedded.',
    },
    low_resolution: {
      what: 'An image may look blurred',
      next: 'Use a larger image or scan it with 200 dots per inch.',
    },
    printed_grey: {
      what: 'Colours are printed in grey',
      next: 'Nothing to do. Choose colour for the letter if the colours matter.',
    },
    blank_page: { what: 'A page is blank', next: 'Delete the page if you do not need it.' },
    page_not_fully_checked: { what: 'A page could not be checked completely', next: 'Look at its preview.' },
    larger_envelope: { what: 'The letter needs a larger envelope', next: 'Nothing to do.' },
    several_envelopes: {
      what: 'The letter is sent in several envelopes',
      next: 'Nothing to do, unless it should arrive in one piece.',
    },
    cover_page_needed: {
      what: 'A cover page with the address is put in front',
      next: 'Look at the pages beside. The details say why.',
    },
    not_measured: { what: 'The pages could not be checked', next: 'Look at the pages before the letter is printed.' },
    page_count_mismatch: {
      what: 'The number of pages is wrong',
      next: 'Send the letter again with the actual number of pages.',
    },
    files_too_large_together: {
      what: 'The files are too large together',
      next: 'Reduce their images, or send several letters.',
    },
    letter_too_long: { what: 'The letter has too many pages', next: 'Send it as several letters.' },
    file_changed: { what: 'A file has changed', next: 'Upload the file again, then send the letter again.' },
    not_what_declared: { what: 'A file is of another type than it says', next: 'Export the document as PDF.' },
    two_types_at_once: {
      what: 'A file is a PDF and an archive at the same time',
      next: 'Export the document as PDF again.',
    },
    locked: {
      what: 'A PDF is protected',
      next: 'Save it without a password, then upload it again.',
    },
    printing_forbidden: {
      what: 'The author of a PDF does not allow printing',
      next: 'Ask the author for a version that may be printed.',
    },
    undrawn_content: {
      what: 'A PDF shows only a notice instead of its content',
      next: 'Open it in Adobe Acrobat, print it to a new PDF, then upload that.',
    },
    damaged_pdf: { what: 'A PDF is damaged', next: 'Export the document as PDF again.' },
    endless_pages: { what: 'A PDF has a broken list of pages', next: 'Export the document as PDF again.' },
    unpacks_too_large: { what: 'A PDF is too large when it is opened', next: 'Export it with smaller images.' },
    prints_too_large: {
      what: 'A PDF would become too large in print',
      next: 'Print the document to a new PDF, then upload that.',
    },
    undrawn_field: {
      what: 'A form field would be printed empty',
      next: 'Print the completed form to a new PDF, then upload that.',
    },
    undrawn_mark: {
      what: 'A comment or mark would be missing on paper',
      next: 'Print the document with its comments to a new PDF, then upload that.',
    },
    unprintable_page: {
      what: 'A page has an impossible size or rotation',
      next: 'Print the document to a new PDF, then upload that.',
    },
    too_many_pages: { what: 'A file has too many pages', next: 'Send it as several letters.' },
    damaged_image: { what: 'An image is damaged', next: 'Save the image again, then upload it.' },
    image_too_large: {
      what: 'An image has too many pixels',
      next: 'Make the image smaller. 300 dots per inch are enough.',
    },
    too_hard: { what: 'A file takes too long to open', next: 'Simplify its drawings, or export them as images.' },
    not_checked: { what: 'The check did not work', next: 'Try again in a minute.' },
    more_findings: {
      what: 'There are more of one kind',
      next: 'Fix those that are listed, then send the letter again.',
    },
  },
};
