import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { plusMs } from '../../common/clock.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { secretsAt } from '../../common/webhooks/signing-secrets.ts';
import { Webhook } from '../../common/webhooks/webhook.model.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver, type Received } from '../support/receiver.ts';
import { aSender, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

/** By the words of the specification: which of these secrets have signed, in the order of their signatures. */
function signersOf({ headers, raw }: Received, secrets: readonly string[]): (string | undefined)[] {
  const [time = '', ...signatures] = String(headers['x-service-signature']).split(',');
  const text = `${time.slice(2)}.${raw}`;
  const signed = (secret: string) => `v1=${createHmac('sha256', secret).update(text).digest('hex')}`;
  return signatures.map((signature) => secrets.find((secret) => signed(secret) === signature));
}

/** Whether the library of Standard Webhooks takes a delivery. */
function isVerified({ headers, raw }: Received, secret: string): boolean {
  try {
    new Verifier(secret).verify(raw, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

describe('the signatures of real deliveries', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  let sender: Sender;
  beforeAll(async () => {
    sender = await aSender(world);
  });

  async function subscribe() {
    const receiver = await openReceiver();
    const webhook = (await sender.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] })).body;
    const path = `/v1/webhooks/${webhook.id}`;
    /** The next delivery, when it has come. */
    const next = async (cause: () => Promise<unknown>): Promise<Received> => {
      const count = receiver.received.length;
      await cause();
      return await eventually(
        () => {
          const received = receiver.received[count];
          if (!received) throw new Error('nothing has come');
          return received;
        },
        { withinMs: 8_000 },
      );
    };
    const rotate = async (overlapHours?: number) =>
      (await sender.http.post(`${path}/rotate-secret`, overlapHours === undefined ? undefined : { overlapHours })).body;
    return { receiver, path, id: webhook.id, secret: webhook.secret as string, next, rotate };
  }

  test.each([
    ['in many scripts', 'Ordre № 1 – “żółć” 请 🐦 \\ "q" \u2028 é'],
    ['as long as it may be', 'ü'.repeat(255)],
    ['not given', undefined],
  ])(
    'given an externalId %s, when its event comes, then both signatures hold over the bytes as they came',
    async (_what, externalId) => {
      const { receiver, secret, next } = await subscribe();
      const received = await next(() => sender.send(externalId === undefined ? {} : { externalId }));
      expect(signersOf(received, [secret])).toEqual([secret]);
      expect(isVerified(received, secret)).toBe(true);
      expect(isVerified({ ...received, raw: received.raw.replace('queued', 'posted') }, secret)).toBe(false);
      expect(received.body).toMatchObject({ externalId: externalId ?? null });
      await receiver.close();
    },
  );

  test('given attempts 1 and 7, hours apart, when both are looked at, then the bytes and the id are the same and each is signed afresh', async () => {
    const { receiver, path, secret, next } = await subscribe();
    const first = await next(() => sender.send());
    const deliveryId = String(first.headers['x-service-delivery']);
    const sevenths = await next(async () => {
      await eventually(
        async () => expect(await Delivery.findById(deliveryId).lean()).toMatchObject({ state: 'delivered' }),
        { withinMs: 8_000 },
      );
      // As if five more had failed since.
      await Delivery.updateOne({ _id: deliveryId }, { attempt: 6, state: 'failed' });
      // The second of the first signature must have passed.
      const signedAtS = Number(first.headers['webhook-timestamp']);
      await eventually(() => expect(Math.floor(Date.now() / 1_000)).toBeGreaterThan(signedAtS), { withinMs: 2_000 });
      await sender.http.post(`${path}/deliveries/${deliveryId}/redeliver`);
    });
    expect([first, sevenths].map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '7']);
    expect([sevenths.raw, sevenths.headers['webhook-id']]).toEqual([first.raw, deliveryId]);
    expect(sevenths.headers['x-service-signature']).not.toBe(first.headers['x-service-signature']);
    for (const attempt of [first, sevenths]) {
      expect(signersOf(attempt, [secret])).toEqual([secret]);
      expect(isVerified(attempt, secret)).toBe(true);
      expect(Math.abs(attempt.at / 1_000 - Number(attempt.headers['webhook-timestamp']))).toBeLessThan(300);
    }
    await receiver.close();
  });

  test('given a rotation with an overlap, when deliveries come, then both secrets verify, and after it the new one alone', async () => {
    const { receiver, id, path, secret: oldest, next, rotate } = await subscribe();
    const rotation = await rotate(24);
    const { secret } = rotation;
    expect(rotation).toEqual({ id, secret: expect.stringMatching(/^whsec_/), previousSecretUntil: expect.any(String) });
    expect(Math.abs(Date.parse(rotation.previousSecretUntil) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    const ping = () => next(() => sender.http.post(`${path}/ping`));
    const during = await ping();
    expect(signersOf(during, [oldest, secret])).toEqual([secret, oldest]);
    expect([isVerified(during, secret), isVerified(during, oldest)]).toEqual([true, true]);
    // Once more: never more than two.
    const newest = (await rotate(1)).secret;
    const twice = await ping();
    expect(signersOf(twice, [oldest, secret, newest])).toEqual([newest, secret]);
    expect([isVerified(twice, newest), isVerified(twice, secret), isVerified(twice, oldest)]).toEqual([
      true,
      true,
      false,
    ]);
    // As if the hour had passed.
    await Webhook.updateOne({ _id: id }, { 'previousSecret.until': plusMs(new Date(), -1) });
    const after = await ping();
    expect(signersOf(after, [secret, newest])).toEqual([newest]);
    expect([isVerified(after, newest), isVerified(after, secret)]).toEqual([true, false]);
    const stored = JSON.stringify(await Webhook.findById(id).lean());
    for (const each of [oldest, secret, newest]) expect(stored).not.toContain(each);
    await receiver.close();
  });

  test.each([[undefined], [0]])(
    'given a rotation with the overlap %p, when a delivery comes, then the new secret alone verifies',
    async (overlapHours) => {
      const { receiver, path, secret: old, next, rotate } = await subscribe();
      await rotate(5);
      const { secret, previousSecretUntil } = await rotate(overlapHours);
      expect(previousSecretUntil).toBeNull();
      const received = await next(() => sender.http.post(`${path}/ping`));
      expect(signersOf(received, [secret, old])).toEqual([secret]);
      await receiver.close();
    },
  );

  test('given rotations at the same moment, when they are answered, then the last one signs, and at most one beside it', async () => {
    const { receiver, path, next, rotate } = await subscribe();
    const secrets: string[] = (await Promise.all(Array.from({ length: 4 }, () => rotate(2)))).map(
      ({ secret }) => secret,
    );
    const signers = signersOf(await next(() => sender.http.post(`${path}/ping`)), secrets);
    expect([signers.length, new Set(signers).size, signers.includes(undefined)]).toEqual([2, 2, false]);
    await receiver.close();
  });

  test('given an overlap that ends while a batch is sent, when secrets are asked for, then it ends to the millisecond', () => {
    const until = new Date();
    const secrets = [
      { secret: 'new', until: null },
      { secret: 'old', until },
    ];
    expect(secretsAt(secrets, plusMs(until, -1))).toEqual(['new', 'old']);
    expect(secretsAt(secrets, until)).toEqual(['new']);
  });
});
