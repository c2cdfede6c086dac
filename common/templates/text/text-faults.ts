import { letterLimits } from '#common/documents/typesetting/letter-content.ts';
import { characterFaults } from '#common/fields/text.schema.ts';

/** Limits of a template's text. */
export const templateLimits = { characters: 50_000, blocks: 500, variables: 100, pageBreaks: 49 } as const;

/** What can be wrong in a template's text, in English. `value`: what the fault is about. Pages translate the codes. */
const messages = {
  notClosed: () => '(( is not closed. Write )) after the name, or \\(( for two brackets.',
  badName: (value: string) =>
    `((${value})) is not a name of a variable. Use letters, digits, spaces, dots, hyphens and underscores, at most 50.`,
  nestedVariable: (value: string) => `((${value}??…)) can contain no other variable.`,
  headingLevel: () => 'There are two levels of headings: write # or ##.',
  tooManyCells: (value: string) =>
    `This row has ${value} cells, more than the table has columns. Write \\| for a bar in a cell.`,
  tooManyColumns: () => `A table has at most ${letterLimits.columns} columns.`,
  tooManyRows: () => `A table has at most ${letterLimits.rows} rows.`,
  unprintable: (value: string) => `The font of letters has no ${value}`,
  ...characterFaults,
  empty: () => 'The text must not be empty.',
  tooLong: () => `The text has at most ${templateLimits.characters} characters.`,
  tooManyBlocks: () => `The text has at most ${templateLimits.blocks} paragraphs, lists and tables.`,
  tooManyVariables: () => `The text has at most ${templateLimits.variables} variables.`,
  tooManyPageBreaks: () => `The text has at most ${templateLimits.pageBreaks} page breaks.`,
} as const;

export type TextFaultCode = keyof typeof messages;

/** A fault in a template's text. `line` counts from 1. `value`: what it is about, empty for some codes. */
export type TextFault = { line: number; code: TextFaultCode; value: string };

/** Returns what a fault is, in English. */
export function describeTextFault({ code, value }: Pick<TextFault, 'code' | 'value'>): string {
  return messages[code](value);
}
