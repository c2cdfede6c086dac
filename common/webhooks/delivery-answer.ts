import type { BlockReason } from './blocked-counter.ts';

/**
 * Why an attempt got no answer. The last two are ours, not the receiver's: `cancelled`, nobody wants the delivery any
 * more, and nothing was written; `stopped`, this process could not go on with it, so it is to be tried again.
 */
export type ErrorClass = 'dns' | 'blocked_ip' | 'connect' | 'tls' | 'timeout' | 'http' | 'cancelled' | 'stopped';

/** What became of one attempt: the receiver's answer, or the reason why there is none. */
export type DeliveryAnswer =
  | {
      outcome: 'answered';
      status: number;
      /** The header as it came: seconds or an HTTP date. */
      retryAfter: string | null;
      /** The first 2,048 bytes of the reply's body, as UTF-8. */
      head: string;
      durationMs: number;
      remoteIp: string | null;
    }
  | { outcome: 'error'; errorClass: ErrorClass; message: string; durationMs: number; remoteIp: string | null };

/** Whether the receiver took the delivery: any status from 200 to 299. */
export function isAccepted(answer: { outcome: string; status?: number }): boolean {
  return answer.status !== undefined && answer.status >= 200 && answer.status <= 299;
}

/** A target that could not be reached, with the class that goes into the attempt log. */
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
