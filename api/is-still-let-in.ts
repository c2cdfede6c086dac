import type { Request, RequestHandler, Response } from 'express';
import { isKeyLive } from '../common/access/is-key-live.ts';
import { AppError } from '../common/errors.ts';
import { credentialOf } from './request-state.ts';

/**
 * Whether the caller of a request would be let in at this moment too: for an answer that goes on long after its request.
 * A key is looked up anew, since authentication remembers keys for half a minute; a token is never remembered.
 */
export async function isStillLetIn(
  request: Request,
  response: Response,
  authenticate: RequestHandler,
): Promise<boolean> {
  const { kind, id } = credentialOf(request);
  if (kind === 'api-key') return await isKeyLive(id);
  try {
    await authenticate(request, response, () => undefined);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') return false;
    throw error;
  }
}
