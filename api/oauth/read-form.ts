import express, { type RequestHandler } from 'express';
import { OAuthError } from '#common/oauth/oauth-error.ts';

const maxFormBytes = 16 * 1024;
const readText = express.text({ limit: maxFormBytes, type: () => true });

/**
 * Reads the body of an OAuth request as text. Throws invalid_request for another content type, for an unreadable body,
 * and for query parameters, because URLs end up in logs.
 */
export const readForm: RequestHandler = (request, response, next) => {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.get('content-type') ?? '');
  if (!isForm) {
    return next(new OAuthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.'));
  }
  if (request.originalUrl.includes('?')) {
    return next(new OAuthError('invalid_request', 'Send the parameters in the body, not in the address.'));
  }
  readText(request, response, (error?: unknown) => {
    const isUnreadable = error !== undefined;
    next(isUnreadable ? new OAuthError('invalid_request', 'The body cannot be read, or is over 16 KiB.') : undefined);
  });
};
