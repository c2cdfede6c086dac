import express, { type Request, type RequestHandler } from 'express';
import type { z } from 'zod';
import type { Issue } from '../../common/errors.ts';
import { WebError } from './web-error.ts';

/** Fields as they came; one that came several times is a list. */
export type SentValues = Record<string, string | string[] | undefined>;

/** A form that was sent and refused, or nothing at all. */
export type SentForm = {
  /** The path, without language, that it was sent to; null when the page is just looked at. */
  path: string | null;
  values: SentValues;
  /**
   * What is wrong, by the name of the field; under the empty name what is wrong with the whole.
   * A word of `texts.form.errors`, or a sentence in English.
   */
  errors: Record<string, string>;
};

export const noForm: SentForm = { path: null, values: {}, errors: {} };

const maxFormBytes = 64 * 1024;
const maxFields = 500;
const parseForm = express.urlencoded({ extended: false, limit: maxFormBytes, parameterLimit: maxFields });

/** Reads the body of a form that was posted. Throws for any other body, and for one that no form of ours can have. */
export const readFormBody: RequestHandler = (request, response, next) => {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '');
  if (!isForm) return next(new WebError('UNSUPPORTED_MEDIA_TYPE'));
  parseForm(request, response, (error?: unknown) => next(error === undefined ? undefined : new WebError('BAD_FORM')));
};

export function sentValues(request: Request): SentValues {
  return (request.body as SentValues | undefined) ?? {};
}

/** One field of a form; the first value of one that came several times, and nothing for one that did not. */
export function textOf(values: SentValues, name: string): string {
  const value = values[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** What a schema finds wrong with a form, one word a field. */
export function toFormErrors(error: z.ZodError): Record<string, string> {
  return firstOfEach(error.issues.map(({ path, message }) => [String(path[0] ?? ''), message]));
}

/** What the domain finds wrong with it, in its own words. */
export function issuesToFormErrors(issues: readonly Issue[]): Record<string, string> {
  return firstOfEach(issues.map(({ path, message }) => [String(path[0] ?? ''), message]));
}

function firstOfEach(pairs: (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(pairs.toReversed());
}
