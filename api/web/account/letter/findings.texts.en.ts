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
    page_not_a4: { what: 'A page is not A4 and cannot be fitted', next: 'Export the document as A4.' },
    page_scaled: {
      what: 'A page is not A4 and is fitted to it',
      next: 'Look at the page here. If it is too small or too large, export the document as A4.',
    },
    page_turned: {
      what: 'A landscape page is printed rotated',
      next: 'Nothing to do, unless the reader should not have to turn the page.',
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
    not_checked: { what: 'The check did not work', next: 'Try again in a minute.' },
    more_findings: {
      what: 'There are more of one kind',
      next: 'Fix those that are listed, then send the letter again.',
    },
  },
};
