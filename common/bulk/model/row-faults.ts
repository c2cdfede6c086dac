import { characterFaults } from '#common/fields/text.schema.ts';

/**
 * What can be wrong with a cell or a row: what it is and what to do, in English, for the API and the CSV of faults. The
 * pages have these texts in their languages. `detail` is a number, a row number or characters.
 */
export const rowFaults = {
  missing: () => 'The cell is empty, and every letter needs it. Complete it.',
  too_long: (most) => `The text is too long: ${most} characters are the most. Shorten it.`,
  control_characters: () => 'The text has line breaks, tabs or invisible control characters. Put it on one line.',
  invisible: characterFaults.invisible,
  formula: () => 'The cell holds a formula. Replace it by its value.',
  garbled: () =>
    'The text was saved in the wrong encoding: accents appear as "Ã©" or "�". Save the file as CSV (UTF-8) from the original.',
  unknown_country: () => 'The country is not known. Give its two-letter code, such as BE, or its name.',
  not_national: () => 'The letter goes abroad, and this bulk is for Belgium. Remove the row, or choose no zone.',
  not_international: () =>
    'The letter goes to Belgium, and this bulk is for other countries. Remove the row, or choose no zone.',
  belgian_zip: () => 'A Belgian postal code has four digits, 1000 to 9999. Correct it.',
  place_not_split: () =>
    'Postal code and city are in one cell and cannot be told apart. Write them as in "1000 Bruxelles", with one postal code of the country of the row, or in two columns.',
  lost_zero: (digits) =>
    `A postal code of this country has ${digits} digits, and spreadsheets drop zeros at the beginning. Format the column as text and complete the code.`,
  unusual_zip: (country) =>
    `Postal codes of ${country} do not look like this. Check it and the country: the letter is sent as it is.`,
  cell_error: () =>
    'The cell has an error, or a formula whose result is not in the file. Open the list in a spreadsheet, correct the formula and save it again.',
  scientific_notation: () =>
    'The number was shortened to scientific notation, such as 1.23E+11, and its digits are lost. Format the column as text and enter the number again.',
  date_in_address: () =>
    "A spreadsheet seems to have turned this number into a date, a time or a fraction, such as 3-4 into 3-Apr. Format the column as text and enter it again. If it is right, put an apostrophe before it: '3-Apr.",
  null_word: () =>
    "The word stands for no value, as NULL and nan do, and was read as an empty cell. Empty the cell or enter the value. If the word is meant, put an apostrophe before it: 'NULL.",
  decimals_removed: () =>
    "A whole number had decimals or thousands separators, such as 10115.0, which were removed. Check it, and format the column as text. To keep them, put an apostrophe before the number: '10115.0.",
  decimal_sign: () =>
    "The number is printed with the decimal sign of the template's language. Check it in the preview. If it is no number, put an apostrophe before it: '4.2.",
  many_digits: () =>
    'The number has more than 15 digits, and spreadsheets replace the others by zeros. Compare it with the original, and format the column as text.',
  sandbox_outcome: (problem) => `The text begins with "sandbox:", which no address does. ${problem}`,
  unprintable: (characters) =>
    `The address has characters that the printer's font lacks: ${characters}. Latin, Greek and Cyrillic letters are there. Write the text in these.`,
  does_not_fit: () => 'The address is too long for the window of the envelope. Shorten its lines.',
  address_small: () =>
    'The address is printed below 8 points to fit into the window. Shorten this line, or write it and the line above on one line.',
  repeated_reference: (row) => `Row ${row} has the same reference. Give each row its own.`,
  unknown_file: () => 'The ZIP file has no PDF of this name. Correct the name, folders included.',
  bad_document: (problem) => `The document ${problem}`,
  bad_variable: (problem) => `The template does not accept this value. ${problem}`,
  same_letter: (row) => `Row ${row} has the same letter. Both are sent; remove one if that is a mistake.`,
  refused: (problem) => `The letter was refused: ${problem}`,
} as const satisfies Record<string, (detail: string) => string>;

export type RowFaultCode = keyof typeof rowFaults;

/** Returns the text of a fault in English. */
export function describeRowFault({ code, detail }: { code: RowFaultCode; detail: string | null }): string {
  return rowFaults[code](detail ?? '');
}

export const rowFaultCodes = Object.keys(rowFaults) as [RowFaultCode, ...RowFaultCode[]];
