import { Pool } from 'undici';

/** What one measurement found. */
export type Load = { perS: number; ms: number; p50Ms: number; p99Ms: number; serverErrors: number };

/** How a subject is asked: `inFlight` callers, each beginning anew when it has its answer. */
export type LoadOptions = { inFlight: number; forMs: number; maxSends?: number };

/** Sends one thing, and returns the status of the answer. `n` counts all sends of the measurement. */
export type Send = (n: number) => Promise<number>;

/** Keeps the subject busy until the time or the sends are over. Throws at an answer that is neither 201 nor 5xx. */
export async function putUnderLoad(
  send: Send,
  { inFlight, forMs, maxSends = Number.POSITIVE_INFINITY }: LoadOptions,
): Promise<Load> {
  const latenciesMs: number[] = [];
  let begun = 0;
  let serverErrors = 0;
  const startedAt = performance.now();
  const caller = async () => {
    while (begun < maxSends && performance.now() - startedAt < forMs) {
      const n = begun++;
      const sentAt = performance.now();
      const status = await send(n);
      if (status >= 500) serverErrors += 1;
      else if (status !== 201) throw new Error(`A send was answered with ${status}.`);
      else latenciesMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  const ms = performance.now() - startedAt;
  const sorted = latenciesMs.sort((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { perS: (sorted.length / ms) * 1_000, ms, p50Ms: quantile(0.5), p99Ms: quantile(0.99), serverErrors };
}

/** Posts letters to the API processes in turn, over connections that stay open. */
export function createPoster(urls: readonly string[], connections: number) {
  const pools = urls.map((url) => new Pool(url, { connections, pipelining: 1 }));
  return {
    async post(n: number, key: string, body: string): Promise<number> {
      // Of two hundred wallets in turn, each meets every process in turn.
      const pool = pools[(n + Math.floor(n / 200)) % pools.length];
      if (!pool) throw new Error('There is no API process.');
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await pool.request({ method: 'POST', path: '/v1/mails', headers, body });
      await answer.body.dump();
      return answer.statusCode;
    },
    close: async () => void (await Promise.all(pools.map((pool) => pool.close()))),
  };
}
