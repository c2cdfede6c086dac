import type { z } from 'zod';

/** The message of every missing field. */
export const missingField = 'This field is required.';

const typeSentences: Readonly<Record<string, string>> = {
  string: 'Must be text.',
  number: 'Must be a number.',
  int: 'Must be a whole number.',
  boolean: 'Must be true or false.',
  array: 'Must be a list.',
  object: 'Must be an object.',
  record: 'Must be an object.',
  null: 'Must be null.',
};
const formatSentences: Readonly<Record<string, string>> = {
  datetime: 'Must be a date and time with offset, such as 2026-03-02T09:30:00Z.',
  date: 'Must be a date, such as 2026-03-02.',
  base64: 'Must be base64.',
};
/** What is counted, by the origin of the value. */
const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/** The option `error` of zod: says what a value must be, where its schema has no message of its own. */
export function issueSentence(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return missingField;
  switch (issue.code) {
    case 'invalid_type':
      return typeSentences[issue.expected] ?? 'Has the wrong type.';
    case 'invalid_value':
      return `Must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}.`;
    case 'invalid_format':
      return formatSentences[issue.format] ?? 'Is not written as it must be. See the documentation of the field.';
    case 'too_small':
      return `Must ${verbOf(issue.origin)} at least ${issue.minimum}${units[issue.origin] ?? ''}.`;
    case 'too_big':
      return `Must ${verbOf(issue.origin)} at most ${issue.maximum}${units[issue.origin] ?? ''}.`;
    default:
      return 'Has none of the forms that are allowed here.';
  }
}

const verbOf = (origin: string) => (units[origin] ? 'have' : 'be');
