import express, { type RequestHandler } from 'express';
import { AppError, invalid } from '#common/errors.ts';
import { findRepeatedKey } from '../requests/find-repeated-key.ts';
import { requireUtf8 } from '../requests/require-utf8.ts';

/** Large enough for a valid letter to 100 recipients, however its text is escaped. */
export const maxBodyBytes = 1024 * 1024;

// The content type is checked before, so treat every body as JSON.
const parseJson = express.json({ limit: maxBodyBytes, strict: false, type: () => true, verify: keepText });

/** The bodies of requests in progress, as they were sent. */
const texts = new WeakMap<object, string>();

function keepText(request: object, response: object, body: Buffer): void {
  requireUtf8(request, response, body);
  texts.set(request, body.toString());
}

/**
 * Reads the JSON body of a request. An empty body counts as absent.
 * Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or VALIDATION_ERROR with path `[]` for invalid JSON.
 */
export const readBody: RequestHandler = (request, response, next) => {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  const contentType = request.headers['content-type'];
  if (!hasBody && contentType === undefined) return next();
  const isJson = /^application\/json\s*(;|$)/i.test(contentType ?? '');
  if (!isJson) return next(new AppError('UNSUPPORTED_MEDIA_TYPE'));
  // Some clients send a content type with every request. The parser would turn an empty body into {}.
  if (!hasBody) return next();
  parseJson(request, response, (error?: unknown) => {
    const repeated = error === undefined ? findRepeatedKey(texts.get(request) ?? '') : null;
    if (repeated) next(invalid(repeated, 'This key is given twice. Give it once.'));
    else next(error === undefined ? undefined : toAppError(error));
  });
};

/** Maps the error types of body-parser to errors of the API. */
function toAppError(error: unknown): unknown {
  const { type } = error as { type?: string };
  switch (type) {
    case 'entity.too.large':
      return new AppError('PAYLOAD_TOO_LARGE');
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new AppError('UNSUPPORTED_MEDIA_TYPE', {
        message: 'Send the body as UTF-8, plain or in gzip, deflate or br.',
      });
    case 'entity.parse.failed':
      return invalid([], 'The body is not JSON.');
    case 'entity.verify.failed':
      return invalid([], 'The body is not valid UTF-8. Encode its text as UTF-8.');
    case 'request.size.invalid':
      return invalid([], 'The body has another length than Content-Length says.');
    case 'request.aborted':
      return invalid([], 'The body was cut off.');
    default:
      return invalid([], 'The body cannot be read.');
  }
}
