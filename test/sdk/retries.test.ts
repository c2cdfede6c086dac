// Level: ci
import { errorTable } from '#common/errors.ts';
import { describe, expect } from '#test/support/jest.ts';
import { openDrivers } from '#test/support/sdk/drivers.ts';
import type { Reply } from '#test/support/sdk/typescript-scripted.ts';

type Raised = { class: string; code: string; status: number | null; retryAfterS: number | null };
type Outcome = { asked: (string | null)[]; waited: number[]; raised: Raised | null; result: unknown };
type Case = {
  title: string;
  call: string;
  replies: Reply[];
  /** How often the request is sent. */
  asked: number;
  /** Of the error that is raised. Without it the call succeeds. */
  raised?: Partial<Raised>;
  /** What `Retry-After` says, in seconds, for each delay. The random part of the backoff is added. */
  told?: number[];
  result?: object;
  maxRetries?: number;
};

const after = (s: number | string) => ({ headers: { 'retry-after': String(s) } });
const at = new Date(Date.now() - 60_000).toUTCString();

const cases: Case[] = [
  ...[429, 502, 503, 504].map(
    (status): Case => ({
      title: `a read is sent again after ${status}, at most twice`,
      ...{ call: 'read', replies: Array<Reply>(3).fill({ status }), asked: 3, raised: { status } },
    }),
  ),
  ...[400, 401, 402, 403, 404, 405, 409, 413, 415, 500].map(
    (status): Case => ({
      title: `a read is not sent again after ${status}`,
      ...{ call: 'read', replies: [{ status }], asked: 1, raised: { status } },
    }),
  ),
  { title: 'a read is sent again after a broken connection', call: 'read', replies: ['broken', 'broken'], asked: 3 },
  { title: 'a read is sent again after no answer in time', call: 'read', replies: ['late'], asked: 2 },
  {
    title: 'a connection that stays broken is an error without a status',
    ...{ call: 'read', replies: ['broken', 'broken', 'broken'], asked: 3 },
    raised: { class: 'ConnectionError', code: 'CONNECTION_ERROR', status: null },
  },
  {
    title: 'maxRetries limits how often a request is sent again',
    ...{ call: 'read', replies: ['broken', 'broken'], maxRetries: 1, asked: 2, raised: { code: 'CONNECTION_ERROR' } },
  },
  {
    title: 'no answer in time has the code TIMEOUT',
    ...{ call: 'read', replies: ['late', 'late', 'late'], asked: 3, raised: { code: 'TIMEOUT', status: null } },
  },
  {
    title: 'Retry-After in seconds is waited for',
    ...{
      call: 'read',
      replies: [
        { status: 429, ...after(7) },
        { status: 503, ...after(60) },
      ],
      asked: 3,
    },
    told: [7, 60],
  },
  {
    title: 'a Retry-After beyond 60 s is not waited for',
    ...{ call: 'read', replies: [{ status: 429, ...after(61) }], asked: 1 },
    raised: { class: 'RateLimitError', retryAfterS: 61 },
  },
  {
    title: 'a Retry-After in the past causes no delay',
    call: 'read',
    replies: [{ status: 503, ...after(at) }],
    asked: 2,
  },
  {
    title: 'a Retry-After without a meaning is ignored',
    call: 'read',
    replies: [{ status: 503, ...after('soon') }],
    asked: 2,
  },
  {
    title: 'a missing tariff is not asked for again',
    ...{ call: 'quote', replies: [{ status: 503, code: 'PRICING_UNAVAILABLE', ...after(0) }], asked: 1 },
    raised: { class: 'ServerError', code: 'PRICING_UNAVAILABLE' },
  },
  { title: 'a quote is sent again, because it changes nothing', call: 'quote', replies: ['broken'], asked: 2 },
  { title: 'a letter is sent again', call: 'letter', replies: ['broken', { status: 503 }], asked: 3 },
  { title: 'so is one with an externalId', call: 'letter with externalId', replies: ['broken', 'late'], asked: 3 },
  { title: 'and one with a key', call: 'letter with key', replies: ['broken'], asked: 2 },
  {
    title: 'a POST without a key is sent again after 429, which did nothing',
    ...{ call: 'unsafe POST', replies: [{ status: 429 }, { status: 429 }], asked: 3 },
  },
  ...(['broken', 'late', { status: 502 }, { status: 503 }, { status: 504 }] as const).map(
    (reply): Case => ({
      title: `a POST without a key is not sent again after ${JSON.stringify(reply)}`,
      ...{ call: 'unsafe POST', replies: [reply], asked: 1, raised: {} },
    }),
  ),
  {
    title: 'a deletion whose answer was lost has succeeded when there is nothing left',
    ...{ call: 'deletion', replies: ['broken', { status: 404 }], asked: 2 },
    result: { id: 'adr_1', deleted: true },
  },
  {
    title: 'a deletion of nothing is refused',
    ...{ call: 'deletion', replies: [{ status: 404 }], asked: 1, raised: { class: 'NotFoundError' } },
  },
];

const classes: Record<number, string> = {
  ...{ 400: 'InvalidRequestError', 405: 'InvalidRequestError', 413: 'InvalidRequestError', 415: 'InvalidRequestError' },
  ...{ 401: 'AuthenticationError', 402: 'InsufficientFundsError', 403: 'PermissionError', 404: 'NotFoundError' },
  ...{ 409: 'ConflictError', 429: 'RateLimitError', 500: 'ServerError', 503: 'ServerError' },
};

const drivers = openDrivers();

describe.each(drivers)('the retries of the %s client', (_name, { run, testHere }) => {
  const call = async (name: string, replies: Reply[], maxRetries = 2) =>
    await run<Outcome>('call', { call: name, replies: [...replies], maxRetries });

  for (const { title, asked, raised, told = [], result, ...given } of cases) {
    testHere(title, async () => {
      const outcome = await call(given.call, given.replies, given.maxRetries);
      expect(outcome.asked).toHaveLength(asked);
      expect(outcome.raised).toEqual(raised === undefined ? null : expect.objectContaining(raised));
      if (result) expect(outcome.result).toEqual(result);
      expect(outcome.waited).toHaveLength(asked - 1);
      for (const [tries, s] of outcome.waited.entries()) {
        const random = s - (told[tries] ?? 0);
        expect(random).toBeLessThanOrEqual(0.5 * 2 ** tries);
        expect(random).toBeGreaterThanOrEqual(0);
        // 0 only with a chance of one in 2^53.
        expect(random).not.toBe(0);
      }
    });
  }

  testHere('a letter keeps its idempotency key across all attempts, and gets none beside its own', async () => {
    const keysOf = async (name: string) => (await call(name, ['broken', { status: 503 }])).asked;
    const keys = await keysOf('letter');
    expect(keys).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
    expect(new Set(keys).size).toBe(1);
    expect(await keysOf('letter')).not.toContain(keys[0]);
    expect(await keysOf('letter with externalId')).toEqual([null, null, null]);
    expect(await keysOf('letter with key')).toEqual(['mine', 'mine', 'mine']);
  });

  testHere('each error has its class and keeps what the answer says', async () => {
    const issues = [{ path: ['pages'], message: 'Too many.' }];
    const headers = { 'x-request-id': 'r-1', 'retry-after': '7' };
    for (const [code, { status }] of Object.entries(errorTable)) {
      const { raised } = await call('read', [{ status, code, issues, headers }], 0);
      const kept = { class: classes[status], code, status, message: 'No.', issues, requestId: 'r-1', retryAfterS: 7 };
      expect(raised).toEqual(kept);
    }
  });
});

describe.each(drivers.filter(([name]) => name !== 'TypeScript'))('the %s client', (_name, { run, testHere }) => {
  type Late = { code: string; cause: string; took: number };

  testHere('it gives up connecting, reading and waiting for the end of an answer', async () => {
    const found = await run<Record<string, Late>>('timeouts');
    expect(found).toEqual({
      connect: { code: 'TIMEOUT', cause: 'ConnectTimeout', took: expect.any(Number) },
      read: { code: 'TIMEOUT', cause: 'ReadTimeout', took: expect.any(Number) },
      whole: { code: 'TIMEOUT', cause: 'ReadTimeout', took: expect.any(Number) },
    });
    for (const { took } of Object.values(found)) expect(took).toBeGreaterThanOrEqual(0.29);
  });
});
