// Level: push
import { plusMs } from '#common/clock.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { runClock } from '#common/sandbox/advance/run-clock.ts';
import { clockWork, type SandboxClockRecord } from '#common/sandbox/clocks/sandbox-clock.model.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { afterEach, beforeEach, describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock, plusDays, pretendRendered } from '#test/support/sandbox/test-clock.ts';
import { openReceiver, type Receiver } from '#test/support/webhooks/receiver.ts';
import { createTestDispatcher, type TestDispatcher } from '#test/support/webhooks/webhook-scene.ts';

type TestClock = Awaited<ReturnType<typeof aTestClock>>;

describe('retries of the webhooks of letters on a test clock', () => {
  const clock = standingClock();
  // No workers: the tests send, with their own clock and without jitter.
  const world = startWorld({ clock });
  const sender = openOnce(() => aSender(world));
  const running = { closing: new AbortController().signal, signal: new AbortController().signal };
  let receiver: Receiver;
  let dispatcher: TestDispatcher;
  let webhookId: string;
  beforeEach(async () => {
    receiver = await openReceiver();
    receiver.answerWith(() => 500);
    dispatcher = createTestDispatcher(world, clock);
    webhookId = (await sender.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] })).body.id;
  });
  afterEach(async () => {
    await sender.http.delete(`/v1/webhooks/${webhookId}`);
    await dispatcher.close();
    await receiver.close();
  });

  /** Sends a letter and its first event, which fails. */
  async function aFailedEvent(overrides: Record<string, unknown> = {}): Promise<string> {
    const id = await sender.sendAccepted(overrides);
    await pretendRendered(id);
    await dispatcher.fanOut();
    await dispatcher.send(webhookId);
    return id;
  }
  async function advance(testClock: TestClock, seconds: number): Promise<void> {
    const { now } = await testClock.get();
    expect((await testClock.start(plusMs(new Date(now), seconds * 1_000).toISOString())).status).toBe(200);
    for (let runs = 0; (await testClock.get()).status === 'advancing'; runs += 1) {
      expect(runs).toBeLessThan(10);
      const claim = await claimDue<SandboxClockRecord>(clockWork, testClock.id, clock.now());
      if (!claim) throw new Error('The clock is not due');
      const { hints, store, log } = world.workersOptions;
      await runClock(claim, { clock, hints, store, log, retention: { documentDays: 30, addressDays: 10 } }, running);
    }
    await dispatcher.send(webhookId);
  }
  const attemptsOf = async (mailJobId: string) => (await Delivery.findOne({ mailJobId, webhookId }).orFail()).attempt;
  const nextOf = async (mailJobId: string) => (await Delivery.findOne({ mailJobId, webhookId }).orFail()).nextAttemptAt;

  test('an advance sends those that fall due until then, and none of other letters', async () => {
    const [testClock, standing] = [await aTestClock(sender), await aTestClock(sender)];
    const own = await aFailedEvent({ sandboxClockId: testClock.id });
    const others = [await aFailedEvent({ sandboxClockId: standing.id }), await aFailedEvent()];
    expect(receiver.received).toHaveLength(3);
    // Advances add up: the first retry is due after 5 s, the next ones a minute and five minutes later.
    await advance(testClock, 4);
    expect(await attemptsOf(own)).toBe(1);
    await advance(testClock, 1);
    expect(await attemptsOf(own)).toBe(2);
    await advance(testClock, 59);
    expect(await attemptsOf(own)).toBe(2);
    await advance(testClock, 86_400);
    expect(await attemptsOf(own)).toBe(3);
    receiver.answerWith(() => 200);
    await advance(testClock, 86_400);
    expect(await Delivery.findOne({ mailJobId: own })).toMatchObject({ state: 'delivered', attempt: 4 });
    for (const other of others) {
      expect(await attemptsOf(other)).toBe(1);
      expect((await nextOf(other))?.getTime()).toBeGreaterThanOrEqual(clock.now().getTime() + 5_000);
    }
  });

  test('a retry is sent by the time of day as well, also when its clock stands or was deleted', async () => {
    const testClock = await aTestClock(sender);
    const own = await aFailedEvent({ sandboxClockId: testClock.id });
    clock.set(plusMs(clock.now(), 6_000));
    await dispatcher.send(webhookId);
    expect(await attemptsOf(own)).toBe(2);
    await sender.http.delete(testClock.path);
    clock.set(plusMs(clock.now(), 61_000));
    await dispatcher.send(webhookId);
    expect(await attemptsOf(own)).toBe(3);
  });

  test('a webhook that is paused stays so, and the retries wait for the end of its pause', async () => {
    const testClock = await aTestClock(sender);
    const own = await aFailedEvent({ sandboxClockId: testClock.id });
    for (let count = 0; count < 12; count += 1) await aFailedEvent();
    const before = receiver.received.length;
    await advance(testClock, 30 * 86_400);
    expect([await attemptsOf(own), receiver.received.length]).toEqual([1, before]);
    // Due, once the pause is over.
    expect(await nextOf(own)).toEqual(clock.now());
    expect((await sender.http.get(`/v1/mails/${own}`)).body.status).toBe('posted');
    expect((await testClock.get()).now).toBe(plusDays(testClock.startsAt, 30));
  });
});
