import { type DeliveryAnswer, type ErrorClass, TargetError } from './delivery-answer.ts';

/** One POST that is to be made. */
export type SignedPost = {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent as it is: the bytes that were signed. */
  body: Buffer;
  /** Ends the attempt as `stopped`, whatever its state. */
  signal?: AbortSignal;
  /**
   * Asked just before the bytes are written, when that is more than a second after the post began (a slow connect):
   * whether the delivery is still wanted. With nothing written, false ends the attempt as `cancelled`, and a rejection
   * as `stopped`: not knowing is no reason to give a delivery up.
   */
  beforeWrite?: () => Promise<boolean>;
};

/** The socket that carries an exchange, as far as its record names it. */
export type Line = { remoteIp: string | null };

type Controller = { abort(reason: Error): void };
type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

const maxReplyBytes = 20_000;
const maxHeadBytes = 2_048;

/** Thrown into the HTTP client to keep a request from being written; its socket stays usable for the next one. */
class NotWritten extends Error {
  override readonly name = 'NotWritten';
}

/**
 * One request and its reply, from the queue of a connection to the answer that goes on record. It is the handler that
 * the HTTP client drives, rather than the client's own request function: it sees the moment before the write, may read
 * a part of a reply, and costs less. It settles once; whatever comes later is ignored.
 */
export class PostExchange {
  /** Set by the connection that takes the exchange. */
  line: Line = { remoteIp: null };
  readonly post: SignedPost;
  readonly #settle: (answer: DeliveryAnswer) => void;
  readonly #dispatch: (exchange: PostExchange) => void;
  readonly #freshMs: number;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #vouchedAt = this.#startedAt;
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
    /** For how long after its start a post needs no asking before it is written. */
    freshMs: number;
    settle: (answer: DeliveryAnswer) => void;
    /** Hands the exchange to a connection: at the start, and again after `beforeWrite` has agreed. */
    dispatch: (exchange: PostExchange) => void;
  }) {
    this.post = options.post;
    this.#freshMs = options.freshMs;
    this.#settle = options.settle;
    this.#dispatch = options.dispatch;
    // A plain timer: a signal for each request was measured to cost 40 % of the throughput.
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
    this.#finish({ outcome: 'error', errorClass, message, ...this.#circumstances() });
    this.#controller?.abort(new NotWritten());
  }

  onRequestStart(controller: Controller): void {
    // The deadline may have passed while the connection was being made: then nothing may be sent any more.
    if (this.#isSettled) throw new NotWritten();
    if (this.post.beforeWrite && performance.now() - this.#vouchedAt > this.#freshMs) {
      void this.#askBeforeWrite(this.post.beforeWrite);
      throw new NotWritten();
    }
    this.#controller = controller;
  }

  onResponseStart(_controller: Controller, status: number, headers: ReplyHeaders): void {
    // Comes for interim answers (below 200) as well; the final one replaces what they said.
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
    // The status is known and nobody reads more: the rest of an endless reply is not waited for.
    this.#answer();
    controller.abort(new Error('The reply is longer than is read'));
  }

  onResponseEnd(): void {
    this.#answer();
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    if (error instanceof NotWritten) return;
    if (error instanceof TargetError) this.fail(error.errorClass, error.message);
    else this.fail('http', error.message);
  }

  async #askBeforeWrite(beforeWrite: () => Promise<boolean>): Promise<void> {
    const isWanted = await Promise.try(beforeWrite).catch(() => null);
    if (this.#isSettled) return;
    this.#vouchedAt = performance.now();
    if (isWanted) this.#dispatch(this);
    else if (isWanted === false) this.fail('cancelled', 'Nobody wants the delivery any more');
    else this.fail('stopped', 'Whether the delivery is still wanted could not be found out');
  }

  readonly #stop = (): void => this.fail('stopped', 'Not sent, or not waited for, because this process stops');

  #answer(): void {
    const [status, retryAfter] = [this.#status, this.#retryAfter];
    const head = this.#chunks.length > 0 ? Buffer.concat(this.#chunks).toString() : '';
    this.#finish({ outcome: 'answered', status, retryAfter, head, ...this.#circumstances() });
  }

  #finish(answer: DeliveryAnswer): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.post.signal?.removeEventListener('abort', this.#stop);
    // The connection becomes free in the next turn of the event loop. Whoever posts next because of this answer would
    // else not find it and open another: twice the sockets, twice the handshakes.
    process.nextTick(setImmediate, this.#settle, answer);
  }

  #circumstances(): { durationMs: number; remoteIp: string | null } {
    return { durationMs: Math.round(performance.now() - this.#startedAt), remoteIp: this.line.remoteIp };
  }
}
