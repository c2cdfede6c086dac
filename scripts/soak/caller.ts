import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, buildConnector } from 'undici';
import type { RequestLog } from './request-log.ts';

export type SoakRequest = {
  /** Of the table of durations. */
  kind: string;
  method: 'GET' | 'POST' | 'PUT';
  /** A path of the API, or the URL of an upload. */
  path: string;
  key?: string;
  json?: unknown;
  form?: Record<string, string>;
  bytes?: { headers: Record<string, string>; body: Uint8Array };
  /** When the request was to be sent; now when absent. */
  intendedMs?: number;
};

/** An answer below 500. The doubts are the attempts before it that may have had an effect. */
export type Settled = {
  status: number;
  body: unknown;
  /** Attempts that were answered 503, whose error promises that nothing was stored. */
  refusals: number;
  /** Attempts without an answer, or with another status from 500 on. */
  doubts: number;
};

export type Caller = {
  /** Repeats the request until it is answered below 500. Rejects when that takes longer than two minutes. */
  ask(request: SoakRequest): Promise<Settled>;
  /** Resets all open connections. Returns their number. */
  resetConnections(): number;
  close(): Promise<void>;
};

const answerWithinMs = 15_000;
const settleWithinMs = 120_000;
const pausesMs = [250, 500, 1_000] as const;
const connectionsPerOrigin = 128;

/** Creates a client of all customers, which takes turns between the processes of the API. */
export function createCaller(origins: readonly string[], log: RequestLog): Caller {
  const sockets = new Set<Socket>();
  const agent = new Agent({
    connections: connectionsPerOrigin,
    headersTimeout: answerWithinMs,
    bodyTimeout: answerWithinMs,
    connect: trackedConnector(sockets),
  });
  let turn = 0;

  const attempt = async (request: SoakRequest): Promise<{ status: number; body: unknown }> => {
    const { method, path, key, json, form, bytes } = request;
    const url = path.startsWith('/') ? `${origins[turn++ % origins.length]}${path}` : path;
    const headers = { ...(key && { authorization: `Bearer ${key}` }), ...headersOf(request) };
    const content = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
    const answer = await agent.request({ ...originOf(url), method, headers, body: bytes?.body ?? content ?? null });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: parse(text) };
  };

  return {
    async ask(request) {
      const { kind, intendedMs = performance.now() } = request;
      const settled = { refusals: 0, doubts: 0 };
      for (let tried = 0; ; tried += 1) {
        const startedMs = performance.now();
        const answer = await attempt(request).catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
        if (typeof answer !== 'string' && answer.status < 500) {
          log.add(kind, intendedMs);
          return { ...answer, ...settled };
        }
        const isRefusal = typeof answer !== 'string' && answer.status === 503;
        settled[isRefusal ? 'refusals' : 'doubts'] += 1;
        const reason = typeof answer === 'string' ? answer : String(answer.status);
        log.fail(reason, startedMs);
        if (performance.now() - intendedMs > settleWithinMs) throw new Error(`${kind}: no answer, last ${reason}`);
        await sleep(pausesMs[Math.min(tried, pausesMs.length - 1)]);
      }
    },
    resetConnections() {
      const { size } = sockets;
      for (const socket of sockets) socket.resetAndDestroy();
      return size;
    },
    close: () => agent.destroy(),
  };
}

/** Keeps the open sockets in `sockets`. */
function trackedConnector(sockets: Set<Socket>): buildConnector.connector {
  const connect = buildConnector({ timeout: 5_000 });
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result;
      if (socket) {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      }
      callback(...result);
    });
}

function headersOf({ json, form, bytes }: SoakRequest): Record<string, string> {
  if (bytes) return bytes.headers;
  if (json !== undefined) return { 'content-type': 'application/json' };
  return form ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
}

function originOf(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
