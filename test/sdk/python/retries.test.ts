import { describe, expect } from '#test/support/jest.ts';
import { runWithSdk, testWithPython } from '#test/support/sdk/python.ts';

type Reply = { status: number; code?: string; headers?: Record<string, string> } | 'broken' | 'late';
type Raised = { class: string; code: string; status: number | null; retryAfter: number | null };
type Outcome = { asked: (string | null)[]; waited: number[]; raised: Raised | null };
type Case = {
  title: string;
  call: string;
  replies: Reply[];
  /** How often the request is sent. */
  asked: number;
  /** Of the error that is raised. Without it the call succeeds. */
  raised?: Partial<Raised>;
  /** Exact delays in seconds. Without it they are random, as the backoff allows. */
  waited?: number[];
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
      ...{ call: 'read', replies: [{ status }], asked: 1, raised: { status }, waited: [] },
    }),
  ),
  { title: 'a read is sent again after a broken connection', call: 'read', replies: ['broken', 'broken'], asked: 3 },
  { title: 'a read is sent again after no answer in time', call: 'read', replies: ['late'], asked: 2 },
  {
    title: 'a connection that stays broken is an error without a status',
    ...{ call: 'read', replies: ['broken', 'broken', 'broken'], asked: 3 },
    raised: { class: 'ConnectionFailedError', code: 'CONNECTION_ERROR', status: null },
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
    waited: [7, 60],
  },
  {
    title: 'a Retry-After beyond 60 s is not waited for',
    ...{ call: 'read', replies: [{ status: 429, ...after(61) }], asked: 1, waited: [] },
    raised: { class: 'RateLimitError', retryAfter: 61 },
  },
  { title: 'a Retry-After in the past is no delay', call: 'read', replies: [{ status: 503, ...after(at) }], asked: 2 },
  {
    title: 'a Retry-After without a meaning is ignored',
    call: 'read',
    replies: [{ status: 503, ...after('soon') }],
    asked: 2,
  },
  {
    title: 'a missing tariff is not asked for again',
    ...{ call: 'quote', replies: [{ status: 503, code: 'PRICING_UNAVAILABLE', ...after(0) }], asked: 1, waited: [] },
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
      ...{ call: 'unsafe POST', replies: [reply], asked: 1, raised: {}, waited: [] },
    }),
  ),
  {
    title: 'a deletion whose answer was lost has succeeded when there is nothing left',
    ...{ call: 'deletion', replies: ['broken', { status: 404 }], asked: 2 },
  },
  {
    title: 'a deletion of nothing is refused',
    ...{ call: 'deletion', replies: [{ status: 404 }], asked: 1, raised: { class: 'NotFoundError' } },
  },
];

let running: Promise<Record<'sync' | 'async', Outcome[]>> | undefined;
/** Runs all cases in one process, on first use. */
const outcomes = () => {
  running ??= runWithSdk('retries.py', { cases });
  return running;
};

describe.each(['sync', 'async'] as const)('the retries of the %s client in Python', (client) => {
  for (const [index, { title, asked, raised, waited }] of cases.entries()) {
    testWithPython(title, async () => {
      const outcome = (await outcomes())[client][index];
      expect(outcome?.asked).toHaveLength(asked);
      expect(outcome?.raised ?? null).toEqual(raised === undefined ? null : expect.objectContaining(raised));
      expect(outcome?.waited).toHaveLength(waited?.length ?? asked - 1);
      for (const [tries, s] of (outcome?.waited ?? []).entries()) {
        if (waited) expect(s).toBe(waited[tries]);
        else expect(s).toBeLessThanOrEqual(0.5 * 2 ** tries);
        expect(s).toBeGreaterThanOrEqual(0);
      }
    });
  }

  testWithPython('a letter keeps its idempotency key across all attempts, and gets none beside its own', async () => {
    const askedBy = async (call: string) =>
      (await outcomes())[client][cases.findIndex((each) => each.call === call)]?.asked ?? [];
    const keys = await askedBy('letter');
    expect(keys).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
    expect(new Set(keys).size).toBe(1);
    expect(await askedBy('letter with externalId')).toEqual([null, null, null]);
    expect(await askedBy('letter with key')).toEqual(['mine', 'mine']);
  });
});

type Late = { code: string; cause: string; took: number };

testWithPython('both clients give up connecting, reading and waiting for the end of an answer', async () => {
  const found = await runWithSdk<Record<'sync' | 'async', Record<string, Late>>>('timeouts.py', {});
  for (const late of [found.sync, found.async]) {
    expect(late).toEqual({
      connect: { code: 'TIMEOUT', cause: 'ConnectTimeout', took: expect.any(Number) },
      read: { code: 'TIMEOUT', cause: 'ReadTimeout', took: expect.any(Number) },
      whole: { code: 'TIMEOUT', cause: 'ReadTimeout', took: expect.any(Number) },
    });
    for (const { took } of Object.values(late)) expect(took).toBeGreaterThanOrEqual(0.29);
  }
});
