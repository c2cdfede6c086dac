import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import type { Mode } from '../../common/modes.ts';
import { Delivery, DeliveryAttempt, type DeliveryRecord } from '../../common/webhooks/delivery.model.ts';
import { type StandingClock, standingClock } from '../support/clock.ts';
import { isSignedBy, openReceiver, type Receiver } from '../support/receiver.ts';
import { type HandSender, handSender, storeEvents } from '../support/waiting-events.ts';
import { startWorld } from '../support/world.ts';

const hourS = 3_600;
/** What is documented: how long after each failure the next attempt comes, in seconds. */
const waitsS: Record<Mode, number[]> = {
  live: [5, 300, 1_800, 2 * hourS, 5 * hourS, 10 * hourS, 14 * hourS, 20 * hourS, 24 * hourS],
  test: [5, 60, 300],
};

describe('the attempts of a delivery that nobody takes', () => {
  const world = startWorld({ hasTariffs: false });
  let receiver: Receiver;
  let clock: StandingClock;
  let hand: HandSender;
  beforeEach(async () => {
    receiver = await openReceiver();
    clock = standingClock();
    hand = handSender(world, clock);
  });
  afterEach(async () => {
    await hand.close();
    await receiver.close();
  });

  test.each(Object.entries(waitsS) as [Mode, number[]][])(
    'given a %s webhook whose receiver always fails, when each attempt comes at its time, then all are made at the documented times, over the same bytes and signed afresh, and none after the last',
    async (mode, waits) => {
      // given
      receiver.answerWith(() => 500);
      const customer = await world.customer({ mode });
      const { body: webhook } = await customer.http.post('/v1/webhooks', {
        url: receiver.url,
        events: ['MAIL_QUEUED'],
      });
      const { organizationId } = customer;
      await storeEvents({ organizationId, mode }, 1, clock.now());
      await hand.fanOut();
      const delivery = () => Delivery.findOne({ webhookId: webhook.id }).orFail().lean<DeliveryRecord>();
      // when
      const sentAtS: number[] = [];
      for (let { nextAttemptAt } = await delivery(); nextAttemptAt; { nextAttemptAt } = await delivery()) {
        clock.set(plusMs(nextAttemptAt, -1));
        expect(await hand.send(webhook.id)).toBe(false);
        clock.set(nextAttemptAt);
        expect(await hand.send(webhook.id)).toBe(true);
        sentAtS.push(Math.floor(nextAttemptAt.getTime() / 1_000));
      }
      // then
      const count = waits.length + 1;
      expect(await delivery()).toMatchObject({ state: 'failed', attempt: count, lastResult: '500' });
      clock.advance(100 * hourS * 1_000);
      expect(await hand.send(webhook.id)).toBe(false);
      const { received } = receiver;
      const header = (name: string) => received.map(({ headers }) => headers[name]);
      expect(header('x-service-attempt')).toEqual(Array.from({ length: count }, (_, n) => String(n + 1)));
      expect(header('webhook-timestamp').map(Number)).toEqual(sentAtS);
      for (const [n, waitS] of waits.entries()) {
        const waitedS = (sentAtS[n + 1] ?? 0) - (sentAtS[n] ?? 0);
        // The wait begins with the end of an attempt, which takes its moment too.
        expect([waitedS >= waitS, waitedS <= waitS + 10]).toEqual([true, true]);
      }
      expect(new Set(header('x-service-delivery')).size).toBe(1);
      expect(new Set(received.map(({ raw }) => raw)).size).toBe(1);
      expect(new Set(header('x-service-signature')).size).toBe(count);
      for (const each of received) expect(isSignedBy(webhook.secret, each)).toBe(true);
      expect(await DeliveryAttempt.countDocuments({ deliveryId: String(header('x-service-delivery')[0]) })).toBe(count);
    },
  );
});
