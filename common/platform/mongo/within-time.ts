import { AppError } from '#common/errors.ts';

/** The code of MongoDB for an operation that exceeded its `maxTimeMS`. */
const maxTimeExpired = 50;

/**
 * Awaits an operation that has a `maxTimeMS`. Throws SERVICE_UNAVAILABLE with `message` when the database stopped it for
 * that, and other errors unchanged.
 */
export async function withinTime<T>(operation: PromiseLike<T>, message: string): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    const isLate = error instanceof Error && 'code' in error && error.code === maxTimeExpired;
    throw isLate ? new AppError('SERVICE_UNAVAILABLE', { message, retryAfterS: 60, cause: error }) : error;
  }
}
