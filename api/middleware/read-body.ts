import express, { type RequestHandler } from 'express';
import { AppError, invalid } from '../../common/errors.ts';

/** A legal letter to 100 recipients fits, however it is escaped. */
const maxBodyBytes = 1024 * 1024;

// Everything is taken for JSON here: what is not was refused before.
const parseJson = express.json({ limit: maxBodyBytes, strict: false, type: () => true });

/**
 * Reads the body of a route that takes one. No body and no content type is an absent body.
 * Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or VALIDATION_ERROR at `[]` for what is not JSON.
 */
export const readBody: RequestHandler = (request, response, next) => {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  const contentType = request.headers['content-type'];
  if (!hasBody && contentType === undefined) return next();
  const isJson = /^application\/json\s*(;|$)/i.test(contentType ?? '');
  if (!isJson) return next(new AppError('UNSUPPORTED_MEDIA_TYPE'));
  // Clients that name the type of every request name it for an empty one too; the parser would take it for {}.
  if (!hasBody) return next();
  parseJson(request, response, (error?: unknown) => next(error === undefined ? undefined : toAppError(error)));
};

/** The body parser's errors, by the type that it gives them. */
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
    case 'request.size.invalid':
      return invalid([], 'The body has another length than Content-Length says.');
    case 'request.aborted':
      return invalid([], 'The body was cut off.');
    default:
      return invalid([], 'The body cannot be read.');
  }
}
