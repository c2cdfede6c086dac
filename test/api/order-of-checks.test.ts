// Level: push
import { describe, eventually, expect, openOnce, test } from '../support/jest.ts';
import { pathOf, routeRows, verbOf } from '../support/product/all-routes.ts';
import { type Answer, aSender, type Customer } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { sendRaw } from '../support/send-raw.ts';

const quota = { read: 4, write: 3 };
const tooLarge = 'x'.repeat(1024 * 1024 + 1);

describe('a key over its quota', () => {
  const world = startWorld({
    areLimitsStill: true,
    environment: {
      RATE_LIMIT_READ_PER_MINUTE: String(quota.read),
      RATE_LIMIT_WRITE_PER_MINUTE: String(quota.write),
      RATE_LIMIT_BURST: '30',
    },
  });

  /** Repeats a request until it is 429. Allows up to twice the limit, because a busy machine may briefly count in memory. */
  async function exhaust(ask: () => Promise<Answer>, limit: number, { least = limit } = {}): Promise<Answer> {
    for (let n = 0; n <= 2 * limit; n += 1) {
      const answer = await ask();
      if (answer.status !== 429) continue;
      expect(n).toBeGreaterThanOrEqual(least);
      return answer;
    }
    throw new Error(`${2 * limit + 1} requests were let through`);
  }

  const spent = openOnce(async () => ({ read: await world.customer(), write: await world.customer() }));

  const plain = {
    read: ({ http }: Customer) => http.get('/v1/wallet'),
    write: ({ http }: Customer) => http.post('/v1/quote', {}),
  };
  test.each([
    ['read', 'write'],
    ['write', 'read'],
  ] as const)('beyond its quota for %s requests a key still has the one for %s requests', async (kind, other) => {
    await exhaust(() => plain[kind](spent[kind]), quota[kind]);
    expect((await plain[other](spent[kind])).status).not.toBe(429);
  });

  test.each(routeRows)('%s is 429 with Retry-After beyond its quota', async (_name, route) => {
    const kind = route.method === 'get' ? 'read' : 'write';
    const { http } = spent[kind];
    const refused = await exhaust(() => http.request(verbOf(route), pathOf(route)), quota[kind], { least: 0 });
    expect(refused.body).toEqual({
      ...{ code: 'RATE_LIMITED', message: expect.any(String) },
      docsUrl: expect.stringMatching(/\/docs\/errors\/RATE_LIMITED$/),
    });
    const retryAfter = refused.headers.get('retry-after') ?? '';
    expect(retryAfter).toMatch(/^[1-9][0-9]?$/);
    expect(Number(retryAfter)).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit-policy')).toMatch(new RegExp(`^"${kind}"; q=${quota[kind]}; w=60`));
    expect(refused.headers.get('ratelimit')).toMatch(new RegExp(`^"${kind}"; r=0; t=[1-9]`));
  });

  test('a letter refused by the quota costs nothing', async () => {
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

  /** A request has all errors from one point of the order on. The response must name the first. */
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

  test.each(faults)('a request with errors from the %s onwards reports that error first', async (fault) => {
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
    // Repeated, because a busy machine may briefly count quotas in memory.
    const isFirst = async () => {
      const { status, body } = await sendRaw(world.url + path, request);
      expect([status, JSON.parse(body.toString()).code]).toEqual(answers[fault]);
    };
    await eventually(isFirst);
  });
});
