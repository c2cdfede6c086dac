import express, { type Request, type RequestHandler } from 'express';
import { requireUtf8Form } from '#api/requests/require-utf8.ts';
import { WebError } from '#api/web/framework/web-error.ts';
import type { SentValues } from '#api/web/visit/sent-form.ts';

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
