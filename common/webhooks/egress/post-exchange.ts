import { type DeliveryAnswer, type ErrorClass, TargetError } from './delivery-answer.ts';

/** A signed request to send. */
export type SignedPost = {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The signed bytes, sent unchanged. */
  body: Buffer;
  /** Ends the attempt as `stopped` in any state. */
  signal?: AbortSignal;
  /**
   * Whether the delivery is still wanted. Called before the write when that is more than `recheckAfterMs` after the
   * start of the post, as after a slow connect. False ends the attempt as `cancelled`; a rejection ends it as
   * `stopped`, to be retried. Nothing is written in either case.
   */
  beforeWrite?: () => Promise<boolean>;
};

/** The connection of an exchange. */
export type ConnectionInfo = { remoteIp: string | null };

type Controller = { abort(reason: Error): void };
type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

const maxReplyBytes = 20_000;
const maxHeadBytes = 2_048;

/** Thrown from a handler to keep undici from writing the request. The socket stays usable. */
class NotWritten extends Error {
  override readonly name = 'NotWritten';
}

/**
 * One request and its reply. A dispatch handler rather than undici's `request`: it can act before the write, can stop
 * reading a reply early, and costs less. It settles once and ignores later events.
 */
export class PostExchange {
  /** Set when a connection takes the exchange. */
  connection: ConnectionInfo = { remoteIp: null };
  readonly post: SignedPost;
  readonly #settle: (answer: DeliveryAnswer) => void;
  readonly #dispatch: (exchange: PostExchange) => void;
  readonly #recheckAfterMs: number;
  readonly #startedAtMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #checkedAtMs = this.#startedAtMs;
  #controller: Controller | null = null;
  #status = 0;
  #retryAfter: string | null = null;
  #chunks: Buffer[] = [];
  #keptBytes = 0;
  #readBytes = 0;
  #isSettled = false;

  constructor(options: {
    post: SignedPost;
    timeoutMs: number;
    /** Time after the start or the last check during which a write needs no `beforeWrite`. */
    recheckAfterMs: number;
    settle: (answer: DeliveryAnswer) => void;
    /** Queues the exchange for a connection: at the start, and again after `beforeWrite` returned true. */
    dispatch: (exchange: PostExchange) => void;
  }) {
    this.post = options.post;
    this.#recheckAfterMs = options.recheckAfterMs;
    this.#settle = options.settle;
    this.#dispatch = options.dispatch;
    // A timer: an AbortSignal per request costs 40 % of the throughput (measured).
    this.#timer = setTimeout(
      () => this.fail('timeout', `No full answer within ${options.timeoutMs} ms`),
      options.timeoutMs,
    );
    this.post.signal?.addEventListener('abort', this.#stop, { once: true });
  }

  start(): void {
    if (this.post.signal?.aborted) this.#stop();
    else this.#dispatch(this);
  }

  /** Ends the exchange without an answer. */
  fail(errorClass: ErrorClass, message: string): void {
    if (this.#isSettled) return;
    this.#finish({ outcome: 'error', errorClass, message, ...this.#timing() });
    this.#controller?.abort(new NotWritten());
  }

  onRequestStart(controller: Controller): void {
    // The deadline may have passed during the connect: nothing may be written after that.
    if (this.#isSettled) throw new NotWritten();
    if (this.post.beforeWrite && performance.now() - this.#checkedAtMs > this.#recheckAfterMs) {
      void this.#checkBeforeWrite(this.post.beforeWrite);
      throw new NotWritten();
    }
    this.#controller = controller;
  }

  onResponseStart(_controller: Controller, status: number, headers: ReplyHeaders): void {
    // Also called for interim answers (1xx), whose values the final answer replaces.
    this.#status = status;
    const retryAfter = headers['retry-after'];
    this.#retryAfter = (typeof retryAfter === 'string' ? retryAfter : retryAfter?.[0]) ?? null;
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#readBytes += chunk.length;
    if (this.#keptBytes < maxHeadBytes) {
      const kept = chunk.subarray(0, maxHeadBytes - this.#keptBytes);
      this.#keptBytes += kept.length;
      this.#chunks.push(kept);
    }
    if (this.#readBytes < maxReplyBytes) return;
    // The status is known: do not wait for the rest of an endless reply.
    this.#answer();
    controller.abort(new Error('Reply exceeds the read limit'));
  }

  onResponseEnd(): void {
    this.#answer();
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    if (error instanceof NotWritten) return;
    if (error instanceof TargetError) this.fail(error.errorClass, error.message);
    else this.fail('http', error.message);
  }

  async #checkBeforeWrite(beforeWrite: () => Promise<boolean>): Promise<void> {
    const isWanted = await Promise.try(beforeWrite).catch(() => null);
    if (this.#isSettled) return;
    this.#checkedAtMs = performance.now();
    if (isWanted) this.#dispatch(this);
    else if (isWanted === false) this.fail('cancelled', 'The delivery is no longer wanted');
    else this.fail('stopped', 'The check before the write failed');
  }

  readonly #stop = (): void => this.fail('stopped', 'The process is stopping');

  #answer(): void {
    const [status, retryAfter] = [this.#status, this.#retryAfter];
    const head = this.#chunks.length > 0 ? Buffer.concat(this.#chunks).toString() : '';
    this.#finish({ outcome: 'answered', status, retryAfter, head, ...this.#timing() });
  }

  #finish(answer: DeliveryAnswer): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.post.signal?.removeEventListener('abort', this.#stop);
    // The connection becomes free in the next iteration of the event loop. If it settled now, the next post would
    // open another connection, which doubles sockets and handshakes.
    process.nextTick(setImmediate, this.#settle, answer);
  }

  #timing(): { durationMs: number; remoteIp: string | null } {
    return { durationMs: Math.round(performance.now() - this.#startedAtMs), remoteIp: this.connection.remoteIp };
  }
}
