import { ChildFailedError } from '#common/documents/isolation/run-in-child.ts';
import { AppError } from '#common/errors.ts';
import { SemaphoreFullError } from '#common/platform/concurrency/fair-semaphore.ts';
import { ObjectMissingError, ObjectTooLargeError } from '#common/platform/s3/object-store-errors.ts';

/**
 * Maps an error of making a copy or a picture to NOT_FOUND (permanent) or SERVICE_UNAVAILABLE (worth a retry). Returns any
 * other as it is.
 */
export function toAppError(error: unknown): unknown {
  const isGone = error instanceof ObjectMissingError || error instanceof ObjectTooLargeError;
  if (isGone) return new AppError('NOT_FOUND', { cause: error });
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
  const isBusy = isTimeout || error instanceof SemaphoreFullError || error instanceof ChildFailedError;
  return isBusy ? new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 10, cause: error }) : error;
}
