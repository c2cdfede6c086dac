import { Pool } from 'undici';
import { type LoadOptions, percentile, putUnderLoad } from '../measure.ts';

/** The result of one measurement. */
export type SendLoad = { perS: number; ms: number; p50Ms: number; p99Ms: number; serverErrors: number };

/** Sends once and returns the status of the answer. `n` counts all sends of the measurement. */
export type Send = (n: number) => Promise<number>;

/** Sends under this load. Throws for an answer that is neither 201 nor 5xx. */
export async function sendUnderLoad(send: Send, options: LoadOptions): Promise<SendLoad> {
  let serverErrors = 0;
  const { perS, ms, latenciesMs } = await putUnderLoad(async (n) => {
    const status = await send(n);
    if (status >= 500) serverErrors += 1;
    else if (status !== 201) throw new Error(`A send was answered with ${status}.`);
    return status === 201;
  }, options);
  return { perS, ms, p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99), serverErrors };
}

/** Sends the letters of one measurement to API processes over keep-alive connections. */
export type Poster = {
  /** Sends letter `n`. The processes take turns, and so do the letters of each wallet. */
  post(n: number, key: string, body: string): Promise<number>;
  /** Opens all connections and lets each process authenticate each key, so neither is measured. */
  connect(keys: readonly string[]): Promise<void>;
  close(): Promise<void>;
};

export function createPoster(
  urls: readonly string[],
  { connections, wallets }: { connections: number; wallets: number },
): Poster {
  const pools = urls.map((url) => new Pool(url, { connections, pipelining: 1 }));
  // Without a shift, each wallet would always reach the same process.
  const lettersPerShift = Math.max(wallets, 200);
  return {
    async post(n, key, body) {
      const pool = pools[(n + Math.floor(n / lettersPerShift)) % pools.length];
      if (!pool) throw new Error('There is no API process.');
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await pool.request({ method: 'POST', path: '/v1/mails', headers, body });
      await answer.body.dump();
      return answer.statusCode;
    },
    async connect(keys) {
      const count = Math.max(connections, keys.length);
      const requests = pools.flatMap((pool) =>
        Array.from({ length: count }, async (_, n) => {
          const headers = { authorization: `Bearer ${keys[n % keys.length]}` };
          const answer = await pool.request({ method: 'GET', path: '/v1/wallet', headers });
          await answer.body.dump();
          if (answer.statusCode !== 200) throw new Error(`A wallet was answered with ${answer.statusCode}.`);
        }),
      );
      await Promise.all(requests);
    },
    close: async () => void (await Promise.all(pools.map((pool) => pool.close()))),
  };
}
