import { offsetOf } from '../program/output.ts';
import type { StreamedEvent } from '../sdk.ts';
import { subjectOf } from './follow-events.ts';
import { signDelivery } from './sign-delivery.ts';

export type Forwarded = {
  /** The status of the answer, or the reason why there is none. */
  result: string;
  isTaken: boolean;
  durationMs: number;
};

export type ForwardOptions = {
  url: string;
  secret: string;
  /** Gets each event that was posted, with its answer. */
  onForwarded: (event: StreamedEvent, answer: Forwarded) => void;
  signal: AbortSignal;
};

/** The limit that also applies to webhooks. */
const timeoutMs = 15_000;
/** Maximum of concurrent posts. A slow receiver then blocks the stream only briefly. */
const maxInFlight = 10;

/** Creates a function that posts an event and reports the answer. It settles when the post has started. */
export function createForwarder({ onForwarded, ...options }: ForwardOptions) {
  const inFlight = new Set<Promise<void>>();

  async function post(event: StreamedEvent): Promise<void> {
    const answer = await forwardEvent(event, options);
    if (!options.signal.aborted) onForwarded(event, answer);
  }

  return async (event: StreamedEvent) => {
    if (inFlight.size >= maxInFlight) await Promise.race(inFlight);
    const posting = post(event).finally(() => inFlight.delete(posting));
    inFlight.add(posting);
  };
}

/** Returns the line of a forwarded event for a terminal. */
export function describeForwarded(event: StreamedEvent, { result, isTaken, durationMs }: Forwarded): string {
  const now = new Date();
  const time = `${now.toTimeString().slice(0, 8)}${offsetOf(now)}`;
  const mark = isTaken ? '✓' : '✗';
  return `${time}  ${mark} ${event.event.padEnd(14)}  ${subjectOf(event)}  ${result}  ${durationMs} ms`;
}

/** Posts an event to a local URL with the body, headers and signatures of a webhook delivery. Never throws. */
async function forwardEvent(
  { event, data }: StreamedEvent,
  { url, secret, signal }: Omit<ForwardOptions, 'onForwarded'>,
): Promise<Forwarded> {
  const startedAt = performance.now();
  const body = Buffer.from(JSON.stringify(data));
  const result = await fetch(url, {
    method: 'POST',
    headers: signDelivery({ secret, event, body }),
    body,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  }).then(
    async (answer) => {
      await answer.body?.cancel();
      return String(answer.status);
    },
    (error: unknown) => explain(error),
  );
  return { result, isTaken: /^2\d\d$/.test(result), durationMs: Math.round(performance.now() - startedAt) };
}

function explain(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer in ${timeoutMs / 1_000} s`;
  const code = (error as { cause?: { code?: string } }).cause?.code;
  if (code === 'ECONNREFUSED') return 'connection refused';
  return code ?? String(error);
}
