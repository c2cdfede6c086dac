import type { Request, RequestHandler, Response } from 'express';
import { isKeyActive } from '#common/access/authenticate-key.ts';
import { AppError } from '#common/errors.ts';
import { credentialOf } from '../request-state.ts';

/**
 * Returns whether the credential of a request is still valid. For streams that outlive the check at their start.
 * API keys are read from the database, because authentication caches them for 30 s. Tokens are never cached.
 */
export async function isStillAuthenticated(
  request: Request,
  response: Response,
  authenticate: RequestHandler,
): Promise<boolean> {
  const { kind, id } = credentialOf(request);
  if (kind === 'api-key') return await isKeyActive(id);
  try {
    await authenticate(request, response, () => undefined);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') return false;
    throw error;
  }
}
