import express, { type Request, type RequestHandler } from 'express';
import type { z } from 'zod';
import { requireUtf8Form } from '#api/requests/require-utf8.ts';
import type { Issue } from '#common/errors.ts';
import { passwordProblems } from '#common/organizations/password-rules.ts';
import { WebError } from '../web-error.ts';

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

/** A long form may have a text of 50,000 characters, up to 9 bytes each. */
const maxFormBytes = { usual: 64 * 1024, long: 512 * 1024 } as const;
const maxFields = 500;

/** Parses a submitted form. Throws WebError for another content type and for forms beyond the limits above. */
export const readFormBody: RequestHandler = createFormReader(maxFormBytes.usual);
export const readLongFormBody: RequestHandler = createFormReader(maxFormBytes.long);

function createFormReader(limit: number): RequestHandler {
  const parseForm = express.urlencoded({ extended: false, limit, parameterLimit: maxFields, verify: requireUtf8Form });
  return (request, response, next) => {
    const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '');
    if (!isForm) return next(new WebError('UNSUPPORTED_MEDIA_TYPE'));
    parseForm(request, response, (error?: unknown) => next(error === undefined ? undefined : new WebError('BAD_FORM')));
  };
}

export function sentValues(request: Request): SentValues {
  return (request.body as SentValues | undefined) ?? {};
}

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
