import { errorTable } from '#common/errors.ts';
import {
  AuthenticationError,
  Bluejay,
  BluejayError,
  type BluejayOptions,
  ConflictError,
  ConnectionError,
  InsufficientFundsError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '#scripts/sdk/typescript/src/index.ts';
import { describe, expect, test } from '#test/support/jest.ts';

type Reply = Response | Error;
type Asked = { method: string; path: string; key: string | null };

const error = (status: number, code = 'SERVICE_UNAVAILABLE', headers: Record<string, string> = {}) =>
  Response.json({ code, message: 'No.' }, { status, headers });
const soon = { 'retry-after': '0' };
const broken = new TypeError('fetch failed');

/** Creates a client whose requests get these replies in turn, and the requests. */
function script(replies: Reply[], options: Partial<BluejayOptions> = {}): { bluejay: Bluejay; asked: Asked[] } {
  const asked: Asked[] = [];
  const answer: typeof fetch = async (input, init) => {
    const key = new Headers(init?.headers).get('idempotency-key');
    asked.push({ method: init?.method ?? '', path: new URL(String(input)).pathname, key });
    const reply = replies.shift() ?? Response.json({ id: 'x' });
    if (reply instanceof Error) throw reply;
    return reply;
  };
  return {
    bluejay: new Bluejay({ apiKey: 'bjk_1', baseUrl: 'https://api.example.com', fetch: answer, ...options }),
    asked,
  };
}

const letter = { zone: 'NATIONAL', serviceType: 'standard', recipients: [], templateId: 'tpl_1' } as const;
const aLetter = (more = {}) => ({ ...letter, recipients: [], ...more });

describe('a request that fails', () => {
  test.each([429, 502, 503, 504])('is sent again after %i', async (status) => {
    const { bluejay, asked } = script([error(status, 'X', soon), error(status, 'X', soon)]);
    await bluejay.wallet.get();
    expect(asked).toHaveLength(3);
  });

  test('is sent again after a broken connection, and not more often than maxRetries', async () => {
    const { bluejay, asked } = script([broken, broken], { maxRetries: 1 });
    await expect(bluejay.wallet.get()).rejects.toMatchObject({ code: 'CONNECTION_ERROR', status: null });
    expect(asked).toHaveLength(2);
  });

  test.each([400, 401, 402, 403, 404, 409, 500])('is not sent again after %i', async (status) => {
    const { bluejay, asked } = script([error(status, 'X', soon)]);
    await expect(bluejay.wallet.get()).rejects.toMatchObject({ status, code: 'X' });
    expect(asked).toHaveLength(1);
  });

  test('is not sent again when Retry-After is beyond 60 s, or a tariff is missing', async () => {
    for (const reply of [error(503, 'X', { 'retry-after': '61' }), error(503, 'PRICING_UNAVAILABLE', soon)]) {
      const { bluejay, asked } = script([reply]);
      await expect(bluejay.wallet.get()).rejects.toThrow(ServerError);
      expect(asked).toHaveLength(1);
    }
  });

  test('a letter keeps its idempotency key across all attempts', async () => {
    const { bluejay, asked } = script([broken, error(503, 'X', soon)]);
    await bluejay.mails.create(aLetter());
    expect(asked.map(({ key }) => key)).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    await bluejay.mails.create(aLetter());
    expect(asked[3]?.key).not.toBe(asked[0]?.key);
  });

  test('a letter with an externalId or a key of its own gets no other', async () => {
    const { bluejay, asked } = script([broken]);
    await bluejay.mails.create(aLetter({ externalId: 'order-1' }));
    await bluejay.mails.create(aLetter(), { idempotencyKey: 'mine' });
    expect(asked.map(({ key }) => key)).toEqual([null, null, 'mine']);
  });

  test('a POST without a key is repeated after a 429, but not when its answer is lost', async () => {
    const { bluejay, asked } = script([error(429, 'RATE_LIMITED', soon), broken]);
    await expect(bluejay.mails.simulate('mj_1')).rejects.toThrow(ConnectionError);
    expect(asked).toHaveLength(2);
  });

  test('a deletion whose answer was lost has succeeded when there is nothing left', async () => {
    const { bluejay } = script([broken, error(404, 'NOT_FOUND')]);
    expect(await bluejay.addresses.delete('adr_1')).toEqual({ id: 'adr_1', deleted: true });
    await expect(script([error(404)]).bluejay.addresses.delete('adr_1')).rejects.toThrow(NotFoundError);
  });

  test('an aborted call ends with the reason of its signal, also while it waits', async () => {
    const { bluejay, asked } = script([error(503, 'X', { 'retry-after': '50' })]);
    const controller = new AbortController();
    const call = bluejay.wallet.get({ signal: controller.signal });
    const reason = new Error('enough');
    setImmediate(() => controller.abort(reason));
    await expect(call).rejects.toBe(reason);
    expect(asked.length).toBeLessThanOrEqual(1);
  });

  test('an answer that does not come in time is a ConnectionError with the code TIMEOUT', async () => {
    const hang: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const { bluejay } = script([], { fetch: hang, timeoutMs: 20, maxRetries: 0 });
    await expect(bluejay.wallet.get()).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

const classes: Record<number, unknown> = {
  ...{ 400: InvalidRequestError, 405: InvalidRequestError, 413: InvalidRequestError, 415: InvalidRequestError },
  ...{ 401: AuthenticationError, 402: InsufficientFundsError, 403: PermissionError, 404: NotFoundError },
  ...{ 409: ConflictError, 429: RateLimitError, 500: ServerError, 503: ServerError },
};

test.each(Object.entries(errorTable))('%s has its class and keeps what the answer says', async (code, { status }) => {
  const issues = [{ path: ['pages'], message: 'Too many.' }];
  const headers = { 'x-request-id': 'r-1', 'retry-after': '7' };
  const reply = Response.json({ code, message: 'No.', issues }, { status, headers });
  const { bluejay } = script([reply], { maxRetries: 0 });
  const thrown = await bluejay.wallet.get().catch((caught: unknown) => caught);
  expect(thrown).toBeInstanceOf(BluejayError);
  expect((thrown as Error).constructor).toBe(classes[status]);
  expect(thrown).toMatchObject({ code, status, message: 'No.', issues, requestId: 'r-1', retryAfterMs: 7_000 });
});

test('an answer that is not from the API is named as such', async () => {
  const page = new Response('<p>Bad gateway</p>', { status: 502 });
  await expect(script([page], { maxRetries: 0 }).bluejay.wallet.get()).rejects.toMatchObject({ code: 'HTTP_502' });
  const half = new Response('{"balance', { headers: { 'content-type': 'application/json' } });
  await expect(script([half]).bluejay.wallet.get()).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
});
