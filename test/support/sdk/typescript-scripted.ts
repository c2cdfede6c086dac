import { AsyncLocalStorage } from 'node:async_hooks';
import { Transport } from '#scripts/sdk/typescript/src/http/transport.ts';
import { Bluejay, BluejayError, BluejayOAuth } from '#scripts/sdk/typescript/src/index.ts';
import { Events } from '#scripts/sdk/typescript/src/resources/events.ts';

const baseUrl = 'https://api.example.com';
/** Methods that make requests of other operations, or none. */
const composed = new Set(['sendFile', 'file', 'verify', 'authorizationUrl', 'exchangeCallback', 'createTokenSource']);

export type Reply =
  | { status: number; code?: string; issues?: object[]; headers?: Record<string, string> }
  | 'broken'
  | 'late';

/** Returns an error of the SDK as the results of commands have it. */
export function describe(error: unknown) {
  if (!(error instanceof BluejayError)) throw error;
  const { code, status, message, issues, requestId, retryAfterMs } = error;
  const retryAfterS = retryAfterMs === null ? null : retryAfterMs / 1_000;
  return { class: error.constructor.name, code, status, message, issues, requestId, retryAfterS };
}

/** Commands with scripted answers, as in test/sdk/python/scripted.py. */
export const scriptedCommands = {
  async operations() {
    const asked: string[] = [];
    const record: typeof fetch = async (input, init) => {
      asked.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return Response.json({ data: [] }, { status: asked.at(-1)?.endsWith('/stream') ? 404 : 200 });
    };
    const bluejay = new Bluejay({ apiKey: 'bjk_1', baseUrl, fetch: record });
    const oauth = new BluejayOAuth({
      ...{ clientId: 'bjc_1', clientSecret: 's', redirectUri: 'https://a.example', baseUrl, authUrl: baseUrl },
      fetch: record,
    });
    for (const target of [...Object.values(bluejay), oauth]) {
      const names = Object.getOwnPropertyNames(Object.getPrototypeOf(target));
      for (const name of names.filter((each) => each !== 'constructor' && !composed.has(each))) {
        const before = asked.length;
        const result = await Reflect.get(target, name).apply(target, ['a', 'a', 'a']);
        // The stream asks when it is iterated, and ends with its 404.
        await result?.next?.().catch(() => {});
        if (asked.length !== before + 1) throw new Error(`${name} makes ${asked.length - before} requests`);
      }
    }
    return asked;
  },

  async call({ call, replies, maxRetries }: { call: keyof typeof calls; replies: Reply[]; maxRetries: number }) {
    const asked: (string | null)[] = [];
    return await withoutWaiting(async (waited, expire) => {
      const answer: typeof fetch = async (_input, init) => {
        asked.push(new Headers(init?.headers).get('idempotency-key'));
        const reply = replies.shift() ?? { status: 200 };
        if (reply === 'broken') throw new TypeError('fetch failed');
        if (reply === 'late') expire();
        if (reply === 'late') throw init?.signal?.reason;
        const { status, headers = {}, code = 'X', issues = [] } = reply;
        return Response.json({ code, message: 'No.', issues }, { status, headers });
      };
      const bluejay = new Bluejay({ apiKey: 'bjk_1', baseUrl, fetch: answer, maxRetries, timeoutMs: limitMs });
      const [result, raised] = await calls[call](bluejay).then(
        (value) => [value, null],
        (error) => [null, describe(error)],
      );
      return { asked, waited, raised, result };
    });
  },

  async options({ at, refused }: { at: string; refused: string[] }) {
    const asked: (string | null)[][] = [];
    const record: typeof fetch = async (input, init) => {
      const headers = new Headers(init?.headers);
      const time = JSON.parse(String(init?.body ?? '{}')).scheduledDropAt;
      const { searchParams } = new URL(String(input));
      asked.push([
        headers.get('bluejay-sandbox'),
        headers.get('authorization'),
        searchParams.get('createdAfter') ?? time,
      ]);
      return Response.json({ data: [] });
    };
    const bluejay = new Bluejay({ apiKey: 'bjk_1', baseUrl, fetch: record });
    const time = new Date(at) as never;
    await bluejay.mails.list({ createdAfter: time }, { headers: { 'Bluejay-Sandbox': 'rate-limited' } });
    await bluejay.mails.create({ ...templateLetter, scheduledDropAt: time });
    const send = (name: string) => bluejay.mails.create(templateLetter, { headers: { [name]: 'mine' } });
    const errors = await Promise.all(refused.map((name) => send(name).catch((error) => error.message)));
    return { asked, errors };
  },

  async stream({ replies }: { replies: { status: number; headers?: Record<string, string>; text: string }[] }) {
    const [asked, ids]: [(string | null)[], string[]] = [[], []];
    const answer = async (url: unknown) => {
      asked.push(new URL(String(url)).searchParams.get('after'));
      const { text, ...init } = replies.shift() ?? { text: '', status: 403 };
      const bytes = new TextEncoder().encode(text);
      return new Response(ReadableStream.from(Array.from(bytes, (byte) => new Uint8Array([byte]))), init);
    };
    return await withoutWaiting(async () => {
      const options = { credential: 'bjk_1', baseUrl, timeoutMs: limitMs, maxRetries: 0, fetch: answer };
      try {
        for await (const { id } of new Events(new Transport(options)).stream()) ids.push(id);
      } catch (error) {
        return { ids, asked, status: describe(error).status };
      }
      return null;
    });
  },
};

const calls = {
  read: (bluejay: Bluejay) => bluejay.wallet.get(),
  quote: (bluejay: Bluejay) => bluejay.quotes.create({} as never),
  letter: (bluejay: Bluejay) => bluejay.mails.create(templateLetter),
  'letter with externalId': (bluejay: Bluejay) => bluejay.mails.create({ ...templateLetter, externalId: 'order-1' }),
  'letter with key': (bluejay: Bluejay) => bluejay.mails.create(templateLetter, { idempotencyKey: 'mine' }),
  'unsafe POST': (bluejay: Bluejay) => bluejay.mails.simulate('mj_1'),
  deletion: (bluejay: Bluejay) => bluejay.addresses.delete('adr_1'),
} satisfies Record<string, (bluejay: Bluejay) => Promise<unknown>>;
const templateLetter = {
  zone: 'NATIONAL' as const,
  serviceType: 'standard' as const,
  recipients: [],
  templateId: 'tpl_1',
};

/** The time for each request in `call`, by which its timer is known. */
const limitMs = 987_654;
type Virtual = { waited: number[]; expire: () => void };
const virtual = new AsyncLocalStorage<Virtual>();

/**
 * Runs calls of the SDK whose timers take no time. Their delays are noted in seconds. `expire` lets the time for the
 * request that is under way run out. Timers of everything else stay as they are.
 */
async function withoutWaiting<T>(act: (waited: number[], expire: () => void) => Promise<T>): Promise<T> {
  const real = globalThis.setTimeout;
  const store: Virtual = { waited: [], expire: () => {} };
  const instead = (run: () => void, ms = 0, ...args: []) => {
    const current = virtual.getStore();
    if (current === undefined) return real(run, ms, ...args);
    if (ms === limitMs) current.expire = run;
    else {
      current.waited.push(ms / 1_000);
      setImmediate(run);
    }
    return undefined;
  };
  globalThis.setTimeout = Object.assign(instead, real) as unknown as typeof setTimeout;
  try {
    return await virtual.run(store, () => act(store.waited, () => store.expire()));
  } finally {
    globalThis.setTimeout = real;
  }
}
