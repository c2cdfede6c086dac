import { beforeEach, describe, expect, test } from '@jest/globals';
import { plusMs, systemClock } from '../../common/clock.ts';
import { newId } from '../../common/ids.ts';
import type { Owner } from '../../common/modes.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { createEventStreams, type StreamItem, type StreamRequest } from '../../common/webhooks/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { startWorld } from '../support/world.ts';

const withinMs = 5_000;

describe('streams of events, with times that a test can wait for', () => {
  const world = startWorld({ hasTariffs: false });
  let owner: Owner;
  beforeEach(async () => {
    const { organizationId, mode } = await world.customer();
    owner = { organizationId, mode };
  });
  const times = { pollMs: 20, heartbeatMs: 60_000, checkMs: 60_000 };
  const createStreams = (changed = {}, limits = {}) =>
    createEventStreams({ clock: systemClock, log: world.log, times: { ...times, ...changed }, limits });

  async function store(at: Date, count = 1): Promise<string[]> {
    const rows = Array.from({ length: count }, () => {
      const shared = { organizationId: owner.organizationId, mode: owner.mode, kind: 'MAIL_QUEUED', body: '{}' };
      return { ...shared, _id: newId('evt'), subjectId: newId('mj'), at, fannedOutAt: at };
    });
    await Event.insertMany(rows);
    return rows.map(({ _id }) => _id);
  }

  /** Opens a stream and keeps what comes. */
  async function follow(streams: ReturnType<typeof createStreams>, request: Partial<StreamRequest> = {}) {
    const stream = await streams.open(owner, { after: undefined, isAllowed: async () => true, ...request });
    const items: StreamItem[] = [];
    let hasEnded = false;
    const reading = (async () => {
      for await (const item of stream) items.push(item);
      hasEnded = true;
    })();
    const ids = () => items.flatMap((item) => (item.kind === 'event' ? [item.event._id] : []));
    return { stream, items, ids, reading, hasEnded: () => hasEnded };
  }

  test('given an event that was stamped before the last one but committed after it, when it is there, then it comes too, and none twice', async () => {
    const streams = createStreams();
    const source = await follow(streams);
    const openedAt = new Date();
    const [first] = await store(plusMs(openedAt, 5_000));
    await eventually(() => expect(source.ids()).toEqual([first]), { withinMs });
    const [late] = await store(openedAt);
    await eventually(() => expect(source.ids()).toEqual([first, late]), { withinMs });
    const [next] = await store(plusMs(openedAt, 5_200));
    await eventually(() => expect(source.ids()).toEqual([first, late, next]), { withinMs });
    streams.close();
    await source.reading;
  });

  test('given an event that was stamped long before it could be seen, when it is there, then streams that go on have it', async () => {
    const streams = createStreams();
    const now = new Date();
    const [earlier] = await store(plusMs(now, -29_000));
    const [last] = await store(now);
    const source = await follow(streams, { after: last });
    await eventually(() => expect(source.ids()).toEqual([last]), { withinMs });
    const [late] = await store(plusMs(now, -20_000));
    await eventually(() => expect(source.ids()).toEqual([last, late]), { withinMs });
    const [next] = await store(plusMs(now, 1));
    await eventually(() => expect(source.ids()).toEqual([last, late, next]), { withinMs });
    expect(source.ids()).not.toContain(earlier);
    streams.close();
    await source.reading;
  });

  test('given a long replay, when the caller is not allowed any more, then it ends at once', async () => {
    const streams = createStreams({ checkMs: 0 });
    const [first] = await store(plusMs(new Date(), -1_000));
    await store(new Date(), 500);
    const source = await follow(streams, { after: first, isAllowed: async () => false });
    await source.reading;
    expect(source.ids()).toEqual([]);
    streams.close();
  });

  test('given silence, when time passes, then signs of life come', async () => {
    const streams = createStreams({ heartbeatMs: 30 });
    const { items, stream, reading } = await follow(streams);
    await eventually(() => expect(items.filter(({ kind }) => kind === 'heartbeat').length).toBeGreaterThan(2), {
      withinMs,
    });
    await stream.return?.();
    await reading;
    streams.close();
  });

  test('given a credential that is revoked, when it is asked for again, then the stream ends, busy or not', async () => {
    const streams = createStreams({ checkMs: 30 });
    let isAllowed = true;
    const source = await follow(streams, { isAllowed: async () => isAllowed });
    await eventually(() => expect(source.items).toHaveLength(1), { withinMs });
    expect(source.hasEnded()).toBe(false);
    isAllowed = false;
    await eventually(() => expect(source.hasEnded()).toBe(true), { withinMs });
    streams.close();
  });

  test('given streams, when their process stops, then all end at once and no other can be opened', async () => {
    const streams = createStreams();
    const sources = [await follow(streams), await follow(streams, { after: newId('evt') })];
    await eventually(() => expect(sources[0]?.items).toHaveLength(1), { withinMs });
    streams.close();
    await Promise.all(sources.map(({ reading }) => reading));
    await expect(follow(streams)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('given a client who reads nothing, when more comes than may wait for him, then his stream ends, his neighbour has all, and resuming brings it', async () => {
    const streams = createStreams({}, { maxWaiting: 50 });
    const stream = await streams.open(owner, { after: undefined, isAllowed: async () => true });
    const start = await stream.next();
    const neighbour = await follow(streams);
    await eventually(() => expect(neighbour.items).toHaveLength(1), { withinMs });
    const stored = await store(new Date(), 40);
    await eventually(() => expect(neighbour.ids()).toHaveLength(40), { withinMs });
    stored.push(...(await store(new Date(), 40)));
    await eventually(() => expect(neighbour.ids()).toHaveLength(80), { withinMs });
    expect(await stream.next()).toMatchObject({ done: true });
    const after = start.value?.kind === 'start' ? start.value.id : undefined;
    const resumed = await follow(streams, { after });
    await eventually(() => expect(resumed.ids()).toHaveLength(80), { withinMs });
    expect(resumed.ids().sort()).toEqual(stored.sort());
    streams.close();
  });

  test('given more events in 10 s than one answer replays, when a client comes again and again, then it has all that it had missed', async () => {
    const streams = createStreams({}, { maxReplayed: 200 });
    const at = plusMs(new Date(), -60_000);
    const had = await store(at, 500);
    const missed = [];
    for (let ms = 1; ms <= 5; ms += 1) missed.push(...(await store(plusMs(at, ms), 100)));
    const got = new Set<string>();
    let after = had.sort().at(-1);
    for (let connections = 0; connections < 3; connections += 1) {
      for await (const item of await streams.open(owner, { after, isAllowed: async () => true })) {
        if (item.kind !== 'event') continue;
        after = item.event._id;
        got.add(after);
        if (missed.every((id) => got.has(id))) break;
      }
    }
    expect(missed.filter((id) => !got.has(id))).toEqual([]);
    streams.close();
  });
});
