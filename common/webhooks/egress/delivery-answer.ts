import type { BlockReason } from './blocked-counter.ts';

/**
 * Why an attempt got no answer. Two classes are not the receiver's fault: `cancelled`, the delivery was no longer
 * wanted and nothing was written; `stopped`, this process could not complete it and it must be retried.
 */
export type ErrorClass = 'dns' | 'blocked_ip' | 'connect' | 'tls' | 'timeout' | 'http' | 'cancelled' | 'stopped';

/** The result of one attempt: the receiver's answer or an error. */
export type DeliveryAnswer =
  | {
      outcome: 'answered';
      status: number;
      /** Raw header: seconds or an HTTP date. */
      retryAfter: string | null;
      /** The first 2,048 bytes of the reply's body, as UTF-8. */
      head: string;
      durationMs: number;
      remoteIp: string | null;
    }
  | { outcome: 'error'; errorClass: ErrorClass; message: string; durationMs: number; remoteIp: string | null };

/** Whether the receiver accepted the delivery: any 2xx status. */
export function isAccepted(answer: { outcome: string; status?: number }): boolean {
  return answer.status !== undefined && answer.status >= 200 && answer.status <= 299;
}

/** A target that could not be reached, with the error class for the attempt log. */
export class TargetError extends Error {
  override readonly name: string = 'TargetError';
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, message: string, cause?: unknown) {
    super(message, { cause });
    this.errorClass = errorClass;
  }
}

/** A target that no delivery may go to. */
export class BlockedError extends TargetError {
  override readonly name = 'BlockedError';
  readonly reason: BlockReason;

  constructor(reason: BlockReason, message: string) {
    super('blocked_ip', message);
    this.reason = reason;
  }
}
