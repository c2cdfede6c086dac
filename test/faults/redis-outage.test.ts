import { setTimeout as outage } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

describe('a Redis that is away', () => {
  const world = startWorld({ hasWorkers: true, hasOwnRedis: true });
  const receiver = startReceiver();

  test('given a Redis that was stopped, when letters are sent, then they are taken at once, and reported within 5 s of its return', async () => {
    // given
    const customer = await world.customer();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const letter = await aLetter(customer, { files });
    await customer.http.post('/v1/mails', letter);
    await eventually(() => expect(receiver.received).toHaveLength(1), { withinMs: 10_000 });
    await world.ownRedis?.stop();
    // when
    const durationsMs: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      const startedAt = performance.now();
      expect((await customer.http.post('/v1/mails', letter)).status).toBe(201);
      durationsMs.push(performance.now() - startedAt);
    }
    // The middle one: a request that waited for Redis would make all of them slow, a busy machine one or two.
    expect(durationsMs.toSorted((left, right) => left - right)[2]).toBeLessThan(300);
    // The outage itself: long enough for every connection to have noticed.
    await outage(3_000);
    await world.ownRedis?.start();
    // then
    await eventually(() => expect(receiver.received).toHaveLength(6), { withinMs: 5_000 });
  }, 40_000);
});
