import type { ServerSentEvent } from './event-source.ts';
import { signDelivery } from './sign-delivery.ts';

export type Forwarded = {
  /** The status of the answer, or the reason why there is none. */
  result: string;
  isTaken: boolean;
  durationMs: number;
};

/** The limit that also applies to webhooks. */
const timeoutMs = 15_000;

/** Posts an event to a local URL with the body, headers and signatures of a webhook delivery. Never throws. */
export async function forwardEvent(
  { event, data }: ServerSentEvent,
  { url, secret, signal }: { url: string; secret: string; signal: AbortSignal },
): Promise<Forwarded> {
  const startedAt = performance.now();
  const body = Buffer.from(data);
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
