// Level: push
import { Webhook as Verifier } from 'standardwebhooks';
import { plusMs } from '#common/clock.ts';
import { secretsAt } from '#common/webhooks/endpoints/post-target.ts';
import { Webhook } from '#common/webhooks/registry/webhook.model.ts';
import { describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { type Received, signersOf, subscribe } from '#test/support/webhooks/receiver.ts';

/** Whether the Standard Webhooks library accepts a delivery. */
function isVerified({ headers, raw }: Received, secret: string): boolean {
  try {
    new Verifier(secret).verify(raw, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

describe('the signatures of sent deliveries', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const sender = openOnce(() => world.customer());

  async function aSubscription() {
    const subscription = await subscribe(sender);
    const { receiver, path } = subscription;
    /** Waits for the next delivery. */
    const next = async (cause: () => Promise<unknown>): Promise<Received> => {
      const count = receiver.received.length;
      await cause();
      await eventually(() => expect(receiver.received.length).toBeGreaterThan(count));
      return receiver.received[count] as Received;
    };
    const rotate = async (overlapHours?: number) =>
      (await sender.http.post(`${path}/rotate-secret`, overlapHours === undefined ? undefined : { overlapHours })).body;
    return { ...subscription, next, rotate };
  }

  test.each([
    ['in many scripts', 'Ordre № 1 – “żółć” 请 🐦 \\ "q" \u2028 é'],
    ['as long as it may be', 'ü'.repeat(255)],
    ['not given', undefined],
  ])('verify over the raw bytes with an externalId %s', async (_what, externalId) => {
    const { receiver, secret, next } = await aSubscription();
    const received = await next(() => sender.send(externalId === undefined ? {} : { externalId }));
    expect(signersOf(received, [secret])).toEqual([secret]);
    expect(isVerified(received, secret)).toBe(true);
    expect(isVerified({ ...received, raw: received.raw.replace('queued', 'posted') }, secret)).toBe(false);
    expect(received.body).toMatchObject({ externalId: externalId ?? null });
    await receiver.close();
  });

  test('use both secrets during the overlap of a rotation and then only the new one', async () => {
    const { receiver, id, path, secret: oldest, next, rotate } = await aSubscription();
    const inADay = () => Date.now() + 24 * 3_600_000;
    const earliest = inADay();
    const rotation = await rotate(24);
    const until = Date.parse(rotation.previousSecretUntil);
    expect([until >= earliest, until <= inADay()]).toEqual([true, true]);
    const { secret } = rotation;
    expect(rotation).toEqual({ id, secret: expect.stringMatching(/^whsec_/), previousSecretUntil: expect.any(String) });
    const ping = () => next(() => sender.http.post(`${path}/ping`));
    const during = await ping();
    expect(signersOf(during, [oldest, secret])).toEqual([secret, oldest]);
    expect([isVerified(during, secret), isVerified(during, oldest)]).toEqual([true, true]);
    // A second rotation: still at most two secrets.
    const newest = (await rotate(1)).secret;
    const twice = await ping();
    expect(signersOf(twice, [oldest, secret, newest])).toEqual([newest, secret]);
    expect([newest, secret, oldest].map((each) => isVerified(twice, each))).toEqual([true, true, false]);
    // End the overlap of an hour.
    await Webhook.updateOne({ _id: id }, { 'previousSecret.until': plusMs(new Date(), -1) });
    const after = await ping();
    expect(signersOf(after, [secret, newest])).toEqual([newest]);
    expect([isVerified(after, newest), isVerified(after, secret)]).toEqual([true, false]);
    const stored = JSON.stringify(await Webhook.findById(id).lean());
    for (const each of [oldest, secret, newest]) expect(stored).not.toContain(each);
    await receiver.close();
  });

  const overlaps: [number | undefined][] = [[undefined], [0]];
  test.each(overlaps)('use only the new secret after a rotation with the overlap %p', async (overlapHours) => {
    const { receiver, path, secret: old, next, rotate } = await aSubscription();
    await rotate(5);
    const { secret, previousSecretUntil } = await rotate(overlapHours);
    expect(previousSecretUntil).toBeNull();
    const received = await next(() => sender.http.post(`${path}/ping`));
    expect(signersOf(received, [secret, old])).toEqual([secret]);
    await receiver.close();
  });

  test('use at most two secrets after concurrent rotations, including the last one', async () => {
    const { receiver, path, next, rotate } = await aSubscription();
    const rotations = await Promise.all(Array.from({ length: 4 }, () => rotate(2)));
    const secrets: string[] = rotations.map(({ secret }) => secret);
    const signers = signersOf(await next(() => sender.http.post(`${path}/ping`)), secrets);
    expect([signers.length, new Set(signers).size, signers.includes(undefined)]).toEqual([2, 2, false]);
    await receiver.close();
  });

  test('stop using the previous secret to the millisecond', () => {
    const until = new Date();
    const secrets = [
      { secret: 'new', until: null },
      { secret: 'old', until },
    ];
    expect(secretsAt(secrets, plusMs(until, -1))).toEqual(['new', 'old']);
    expect(secretsAt(secrets, until)).toEqual(['new']);
  });
});
