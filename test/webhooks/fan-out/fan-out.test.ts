// Level: ci
import { Event, type EventRecord } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import type { Mode } from '#common/modes.ts';
import { newDue, unjournaled } from '#common/platform/due-work/due-work.ts';
import type { Sealed } from '#common/secrets.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { fanOutDue } from '#common/webhooks/fan-out/fan-out-due.ts';
import { findListeners, ownerKey } from '#common/webhooks/fan-out/listeners.ts';
import { Webhook } from '#common/webhooks/registry/webhook.model.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { anOwner, aWebhookAt, startWebhookScene, storeEvents } from '#test/support/webhooks/webhook-scene.ts';
import { fanOutWorker } from '#workers/fan-out.worker.ts';

describe('a fan-out worker that stops', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);

  test('ends after the current round and hints another worker about the rest', async () => {
    await storeEvents(scene.customer, 2_500, scene.clock.now());
    const closing = new AbortController();
    const clock = {
      now() {
        // Stop during the first round.
        closing.abort();
        return scene.clock.now();
      },
    };
    const notified: unknown[] = [];
    const hinted: string[] = [];
    const { handle } = fanOutWorker({
      ...world.workersOptions,
      ...{ clock, metrics: scene.dispatcher.metrics },
      hints: {
        ...world.hints,
        notify: (queue, ids) => void notified.push([queue, ids]),
        add: async (hints) => void hinted.push(...hints.map(({ id }) => id)),
      },
    });
    const { signal } = new AbortController();
    const context = { closing: closing.signal, signal, log: world.workersOptions.log };
    await Promise.all([handle('first', context), handle('second', context)]);
    expect(await Event.countDocuments({ organizationId: scene.customer.organizationId, fannedOutAt: null })).toBe(
      1_500,
    );
    expect(hinted).toEqual([scene.webhookId]);
    expect(notified).toEqual([
      ['fan-out', ['first']],
      ['fan-out', ['second']],
    ]);
  });
});

describe('the listeners of an event', () => {
  startWorld({ hasTariffs: false });

  async function store(organizationId: string, mode: Mode, status: 'active' | 'disabled', count: number) {
    const at = new Date();
    const times = { createdAt: at, updatedAt: at, deletedAt: null };
    const rows = Array.from({ length: count }, () => {
      const about = {
        url: 'https://receiver.test/',
        events: ['MAIL_QUEUED' as const],
        secret: 'sealed' as Sealed,
        epoch: 0,
      };
      return { _id: newId('wh'), organizationId, mode, status, ...about, ...times };
    });
    await Webhook.insertMany(rows);
    return rows.map(({ _id }) => _id).sort();
  }
  const anEvent = (organizationId: string, mode: Mode, webhookUrl: string | null = null) =>
    ({ organizationId, mode, webhookUrl }) as EventRecord;
  const webhooksFor = async (events: EventRecord[]) => (await findListeners(events, new Date())).webhooks;

  test('are all active webhooks of its owner and the 100 newest disabled ones', async () => {
    const organizationId = newId('org');
    const active = await store(organizationId, 'test', 'active', 3);
    const disabled = await store(organizationId, 'test', 'disabled', 103);
    await store(organizationId, 'live', 'active', 1);
    await Webhook.updateOne({ _id: active[0] ?? '' }, { deletedAt: new Date() });

    const owner = { organizationId, mode: 'test' as const };
    const found = await webhooksFor([anEvent(organizationId, 'test'), anEvent(organizationId, 'test')]);
    expect([...found.keys()]).toEqual([ownerKey(owner)]);
    const ids = found.get(ownerKey(owner))?.map(({ _id }) => _id);
    expect(ids?.sort()).toEqual([...active.slice(1), ...disabled.slice(3)].sort());
  });

  test('are found for any number of owners, but not for events with their own URL', async () => {
    const owners = Array.from({ length: 101 }, () => newId('org'));
    for (const owner of owners) await store(owner, 'live', 'active', 1);
    expect((await webhooksFor(owners.map((owner) => anEvent(owner, 'live')))).size).toBe(101);
    const [first = ''] = owners;
    expect((await webhooksFor([anEvent(first, 'live', 'https://own.test/')])).size).toBe(0);
  });
});

describe('events that are not majority-committed', () => {
  const world = startWorld({ hasTariffs: false, hasOwnMongo: true });

  test.each([
    ['one event', 1],
    ['many events', 20],
  ])('%s without a majority get no delivery, because they may be rolled back', async (_what, count) => {
    const owner = anOwner();
    const endpointId = await aWebhookAt(world, owner, 'https://receiver.test/');
    await storeEvents(owner, count, new Date());
    const events = await Event.find({ organizationId: owner.organizationId }).lean();
    await Event.deleteMany({ organizationId: owner.organizationId });
    const fanOut = () => fanOutDue({ ...world.workersOptions, hint: () => {} });
    const delivered = () => Delivery.countDocuments({ endpointId });
    await world.ownMongo?.holdMajority(true);
    try {
      const due = events.map((event) => ({ ...event, due: newDue(new Date()) }));
      await Event.collection.insertMany(due as never[], unjournaled);
      expect(await Event.countDocuments({ organizationId: owner.organizationId })).toBe(count);
      expect(await fanOut()).toBe(false);
      expect(await delivered()).toBe(0);
    } finally {
      await world.ownMongo?.holdMajority(false);
    }
    const isDelivered = async () => {
      await fanOut();
      expect(await delivered()).toBe(count);
    };
    await eventually(isDelivered);
  });
});
