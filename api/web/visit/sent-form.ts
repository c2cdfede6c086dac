import type { z } from 'zod';
import type { Issue } from '#common/errors.ts';
import { passwordProblems } from '#common/organizations/password-rules.ts';

/** Submitted fields. A repeated field is an array. */
export type SentValues = Record<string, string | string[] | undefined>;

/** A submitted form that was refused, or `noForm`. */
export type SentForm = {
  /** Path of the action, without the language. Null when no form was submitted. */
  path: string | null;
  values: SentValues;
  /**
   * Errors by field name. The empty name stands for the form as a whole.
   * Values are keys of `texts.form.errors` or English messages.
   */
  errors: Record<string, string>;
};

export const noForm: SentForm = { path: null, values: {}, errors: {} };

/** Returns a field of a form: the first value of a repeated field, an empty string for a missing one. */
export function textOf(values: SentValues, name: string): string {
  const value = values[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** Converts the issues of a schema to form errors, one per field. */
export function toFormErrors(error: z.ZodError): Record<string, string> {
  return firstOfEach(error.issues.map(({ path, message }) => [String(path[0] ?? ''), message]));
}

/** Converts issues from `common` to form errors, translated where the pages have a text for them. */
export function issuesToFormErrors(issues: readonly Issue[]): Record<string, string> {
  return firstOfEach(issues.map(({ path, message }) => [String(path[0] ?? ''), errorKeyOf(message)]));
}

/** Returns the key of a message about passwords, which the pages translate. Other messages are returned unchanged. */
function errorKeyOf(message: string): string {
  return Object.entries(passwordProblems).find(([, known]) => known === message)?.[0] ?? message;
}

function firstOfEach(pairs: (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(pairs.toReversed());
}
