// Level: ci
import { hashPassword, isPasswordOf } from '#common/organizations/password.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

/** A check takes 50 ms of a processor on purpose, and these tests need hundreds. */
describe('the limits of password checks at once', () => {
  const { host } = startWebHost({ areLimitsStill: true });
  const right = 'correct horse battery';
  /** As many as may wait of one address. */
  const maxWaiting = 10;
  /** Checks `count` times at once, `maxWaiting` from each address, and sorts the ends. */
  async function checkAll(hash: string, count: number) {
    const address = (index: number) => `192.0.2.${Math.floor(index / maxWaiting)}`;
    const asked = Array.from({ length: count }, (_, index) => isPasswordOf(hash, right, address(index)));
    const settled = await Promise.allSettled(asked);
    return {
      answers: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
      refusals: settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])),
    };
  }

  /** Keeps 110 checks under way, each tried again until it is taken, while `run` runs. */
  async function whileBusy<T>(addressOf: (index: number) => string, run: () => Promise<T>): Promise<T> {
    let isOver = false;
    const occupy = async (address: string) => {
      while (!isOver)
        await isPasswordOf(null, 'x', address).catch(() => new Promise((resolve) => setImmediate(resolve)));
    };
    const busy = Array.from({ length: 110 }, (_, index) => occupy(addressOf(index)));
    try {
      return await run();
    } finally {
      isOver = true;
      await Promise.all(busy);
    }
  }

  test('of 140 checks at once from many addresses 100 run or wait, the others get 429', async () => {
    const hash = await hashPassword(right, '192.0.2.0');
    const { answers, refusals } = await checkAll(hash, 140);
    expect(answers).toEqual(Array(100).fill(true));
    expect(refusals).toHaveLength(40);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'RATE_LIMITED', retryAfterS: 1 });
    expect(await isPasswordOf(hash, 'wrong horse battery', '192.0.2.0')).toBe(false);
    expect(await isPasswordOf(null, 'no account has this password', '192.0.2.0')).toBe(false);
  });

  test('a sign-in succeeds while another address sends as many guesses as it can', async () => {
    const user = await host.makeUser();
    const visitor = host.visitor();
    const signIn = () => visitor.signIn(user);
    const answer = await whileBusy(() => '192.0.2.1', signIn);
    expect(answer.status).toBe(303);
  });

  test('a throttled sign-in is 429 with Retry-After and works later', async () => {
    const user = await host.makeUser();
    const visitor = host.visitor();
    await visitor.get('/en/sign-in');
    // As many as may run and wait, from as many addresses as that takes.
    const signIn = () => visitor.signIn(user);
    const answer = await whileBusy((index) => `192.0.2.${index % 11}`, signIn);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
    expect(answer.text).toContain('role="alert"');
    expect((await signIn()).status).toBe(303);
  });
});
