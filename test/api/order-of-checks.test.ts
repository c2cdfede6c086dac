import { describe, expect, test } from '@jest/globals';
import { pathOf, routeRows, verbOf } from '../support/all-routes.ts';
import type { Answer } from '../support/client.ts';
import type { Customer } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { sendRaw } from '../support/send-raw.ts';
import { aSender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const quota = { read: 4, write: 3 };
const tooLarge = 'x'.repeat(1024 * 1024 + 1);

describe('a key over its quota', () => {
  const world = startWorld({
    environment: {
      RATE_LIMIT_READ_PER_MINUTE: String(quota.read),
      RATE_LIMIT_WRITE_PER_MINUTE: String(quota.write),
      RATE_LIMIT_BURST: '30',
    },
  });

  /** Asks until it is refused for its quota. A busy machine may count in two places for a while, so at most twice as often. */
  async function exhaust(ask: () => Promise<Answer>, limit: number): Promise<Answer> {
    for (let n = 0; n <= 2 * limit; n += 1) {
      const answer = await ask();
      if (answer.status !== 429) continue;
      expect(n).toBeGreaterThanOrEqual(limit);
      return answer;
    }
    throw new Error(`${2 * limit + 1} requests were let through`);
  }

  test.each(routeRows)(
    'given a new key, when %s is asked too often, then 429 with Retry-After, and the other class goes on',
    async (_name, route) => {
      // given
      const { http } = await world.customer();
      const kind = route.method === 'get' ? 'read' : 'write';
      // when
      const refused = await exhaust(() => http.request(verbOf(route), pathOf(route)), quota[kind]);
      // then
      expect(refused.body).toEqual({ code: 'RATE_LIMITED', message: expect.any(String) });
      const retryAfter = refused.headers.get('retry-after') ?? '';
      expect(retryAfter).toMatch(/^[1-9][0-9]?$/);
      expect(Number(retryAfter)).toBeLessThanOrEqual(60);
      expect(refused.headers.get('ratelimit-policy')).toMatch(new RegExp(`^"${kind}"; q=${quota[kind]}; w=60`));
      expect(refused.headers.get('ratelimit')).toMatch(new RegExp(`^"${kind}"; r=0; t=[1-9]`));
      const other = kind === 'read' ? await http.post('/v1/quote', {}) : await http.get('/v1/wallet');
      expect(other.status).not.toBe(429);
    },
  );

  test('given a letter over the quota, when it is sent, then it is not taken, and costs nothing', async () => {
    const sender = await aSender(world);
    const before = await sender.balanceCents();
    let taken = 0;
    await exhaust(async () => {
      const answer = await sender.send();
      if (answer.status === 201) taken += 1;
      return answer;
    }, 1);
    expect(await sender.balanceCents()).toBe(before - taken * 221);
  });

  /** A request in which everything is wrong from one point on: the first that is wrong must be what is answered. */
  const faults = ['address', 'method', 'key', 'quota', 'scope', 'type', 'size', 'json', 'id'] as const;
  const answers = {
    address: [404, 'NOT_FOUND'],
    method: [405, 'METHOD_NOT_ALLOWED'],
    key: [401, 'UNAUTHORIZED'],
    quota: [429, 'RATE_LIMITED'],
    scope: [403, 'FORBIDDEN'],
    type: [415, 'UNSUPPORTED_MEDIA_TYPE'],
    size: [413, 'PAYLOAD_TOO_LARGE'],
    json: [400, 'VALIDATION_ERROR'],
    id: [404, 'NOT_FOUND'],
  } as const;

  async function customerWith(wrong: Set<string>): Promise<Customer> {
    const customer = await world.customer({ scopes: wrong.has('scope') ? ['wallet'] : ['send'] });
    const spend = () => customer.http.post('/v1/mails/no-id/simulate', {});
    if (wrong.has('quota')) await exhaust(spend, quota.write);
    return customer;
  }
  function bodyWith(wrong: Set<string>): string {
    if (wrong.has('size')) return tooLarge;
    return wrong.has('json') ? '{' : '{}';
  }

  test.each(faults)(
    'given requests that are right up to the %s and wrong from there, when they come, then that is named',
    async (fault) => {
      const wrong = new Set<string>(faults.slice(faults.indexOf(fault)));
      const { key } = await customerWith(wrong);
      const id = wrong.has('id') ? 'no-id' : 'mj_01h455vb4pex5vsknk084sn02q';
      const path = wrong.has('address') ? `/v1/mails/${id}/simulation` : `/v1/mails/${id}/simulate`;
      const request = {
        method: wrong.has('method') ? 'PUT' : 'POST',
        headers: {
          authorization: `Bearer ${wrong.has('key') ? `${key}x` : key}`,
          'content-type': wrong.has('type') ? 'text/plain' : 'application/json',
        },
        body: bodyWith(wrong),
      };
      // More than once only where a busy machine counts a quota in two places for a while.
      await eventually(
        async () => {
          const { status, body } = await sendRaw(world.url + path, request);
          expect([status, JSON.parse(body.toString()).code]).toEqual(answers[fault]);
        },
        { withinMs: 2_000 },
      );
    },
  );
});
