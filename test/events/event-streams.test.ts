// Level: ci
import mongoose from 'mongoose';
import { plusMs } from '#common/clock.ts';
import { Event } from '#common/events/event.model.ts';
import { createEventStreams, type StreamItem, type StreamRequest } from '#common/events/event-stream.ts';
import { newId, newIdAt } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import { beforeEach, describe, eventually, expect, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';

describe('event streams with short intervals', () => {
  const world = startWorld({ hasTariffs: false, hasOwnMongo: true });
  let owner: Owner;
  beforeEach(async () => {
    const { organizationId, mode } = await world.customer();
    owner = { organizationId, mode };
  });
  const times = { heartbeatMs: 3_600_000, checkMs: 60_000 };
  const createStreams = (changed = {}, limits = {}) =>
    createEventStreams({ log: world.log, times: { ...times, ...changed }, limits });

  async function store(at: Date, count = 1, session: mongoose.ClientSession | null = null): Promise<string[]> {
    const rows = Array.from({ length: count }, () => {
      const shared = { organizationId: owner.organizationId, mode: owner.mode, kind: 'MAIL_QUEUED', body: '{}' };
      return { ...shared, _id: newId('evt'), subjectId: newId('mj'), at, fannedOutAt: at };
    });
    await Event.insertMany(rows, { session });
    return rows.map(({ _id }) => _id);
  }

  /** Opens a stream and collects its items. */
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

  test('send an event that committed after one with a later stamp, and none twice', async () => {
    const streams = createStreams();
    const source = await follow(streams);
    const openedAt = new Date();
    const [first] = await store(plusMs(openedAt, 5_000));
    await eventually(() => expect(source.ids()).toEqual([first]));
    const [late] = await store(openedAt);
    await eventually(() => expect(source.ids()).toEqual([first, late]));
    const [next] = await store(plusMs(openedAt, 5_200));
    await eventually(() => expect(source.ids()).toEqual([first, late, next]));
    streams.close();
    await source.reading;
  });

  test('send an event whose transaction committed a minute after its stamp', async () => {
    const streams = createStreams();
    const now = new Date();
    const [earlier] = await store(plusMs(now, -70_000));
    const [last] = await store(now);
    const opened = await follow(streams);
    const resumed = await follow(streams, { after: last });
    const session = await mongoose.startSession();
    const [late] = await session.withTransaction(async () => {
      const ids = await store(plusMs(now, -60_000), 1, session);
      const [next] = await store(new Date());
      await eventually(() => expect([opened.ids(), resumed.ids()]).toEqual([[next], [last, next]]));
      return [...ids, next];
    });
    await session.endSession();
    await eventually(() => expect([opened.ids().at(1), resumed.ids().at(2)]).toEqual([late, late]));
    const [end] = await store(new Date());
    await eventually(() => expect([opened.ids().at(2), resumed.ids().at(3)]).toEqual([end, end]));
    expect([opened.ids().length, resumed.ids().length]).toEqual([3, 4]);
    expect(resumed.ids()).not.toContain(earlier);
    streams.close();
    await Promise.all([opened.reading, resumed.reading]);
  });

  test('end a long replay when the credential is revoked', async () => {
    const streams = createStreams({ checkMs: 0 });
    const [first] = await store(plusMs(new Date(), -1_000));
    await store(new Date(), 500);
    const source = await follow(streams, { after: first, isAllowed: async () => false });
    await source.reading;
    expect(source.ids()).toEqual([]);
    streams.close();
  });

  test('send a heartbeat at once to a client that resumes with nothing to replay', async () => {
    const streams = createStreams();
    const after = newIdAt('evt', plusMs(new Date(), -60_000));
    const { items, stream, reading } = await follow(streams, { after });
    await eventually(() => expect(items.at(-1)).toEqual({ kind: 'heartbeat' }));
    await stream.return?.();
    await reading;
    streams.close();
  });

  test('send heartbeats while there are no events', async () => {
    const streams = createStreams({ heartbeatMs: 30 });
    const { items, stream, reading } = await follow(streams);
    await eventually(() => expect(items.filter(({ kind }) => kind === 'heartbeat').length).toBeGreaterThan(2));
    await stream.return?.();
    await reading;
    streams.close();
  });

  test('end when the credential is revoked', async () => {
    const streams = createStreams({ checkMs: 30 });
    let isAllowed = true;
    const source = await follow(streams, { isAllowed: async () => isAllowed });
    await eventually(() => expect(source.items).toHaveLength(1));
    expect(source.hasEnded()).toBe(false);
    isAllowed = false;
    await eventually(() => expect(source.hasEnded()).toBe(true));
    streams.close();
  });

  test('end at once when the process stops, and no new one opens', async () => {
    const streams = createStreams();
    const sources = [await follow(streams), await follow(streams, { after: newId('evt') })];
    await eventually(() => expect(sources[0]?.items).toHaveLength(1));
    streams.close();
    await Promise.all(sources.map(({ reading }) => reading));
    await expect(follow(streams)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('end for a client that does not read, lose nothing on resume, and spare others', async () => {
    const streams = createStreams({}, { maxWaiting: 50 });
    const stream = await streams.open(owner, { after: undefined, isAllowed: async () => true });
    const start = await stream.next();
    const neighbour = await follow(streams);
    await eventually(() => expect(neighbour.items).toHaveLength(1));
    const stored = await store(new Date(), 40);
    await eventually(() => expect(neighbour.ids()).toHaveLength(40));
    stored.push(...(await store(new Date(), 40)));
    await eventually(() => expect(neighbour.ids()).toHaveLength(80));
    expect(await stream.next()).toMatchObject({ done: true });
    const after = start.value?.kind === 'start' ? start.value.id : undefined;
    const resumed = await follow(streams, { after });
    await eventually(() => expect(resumed.ids()).toHaveLength(80));
    expect(resumed.ids().sort()).toEqual(stored.sort());
    streams.close();
  });

  test('let a client catch up over several connections when one replay is not enough', async () => {
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

  test.each([
    ['a broken connection', 1],
    ['five failures to reconnect', 6],
  ])('lose and repeat no event by %s', async (_what, failures) => {
    const streams = createStreams();
    const source = await follow(streams);
    const stored = await store(new Date());
    await eventually(() => expect(source.ids()).toEqual(stored));
    const fault = { failCommands: ['getMore', 'aggregate'], collection: 'events', closeConnection: true };
    await world.fail(fault, failures);
    for (let n = 0; n < 20; n += 1) stored.push(...(await store(new Date())));
    await eventually(() => expect(source.ids()).toEqual(stored));
    expect(await world.ownMongo?.stopFailing()).toBeGreaterThanOrEqual(failures);
    streams.close();
    await source.reading;
  });

  test('end when MongoDB no longer has their position, and a resumed client misses nothing', async () => {
    const streams = createStreams();
    const sources = [await follow(streams), await follow(streams)];
    const stored = await store(new Date());
    await eventually(() => expect(sources[0]?.ids()).toEqual(stored));
    const historyLost = { errorCode: 286, errorLabels: ['NonResumableChangeStreamError'] };
    await world.fail({ failCommands: ['getMore'], collection: 'events', ...historyLost }, 1);
    stored.push(...(await store(new Date(), 5)).sort());
    await Promise.all(sources.map(({ reading }) => reading));
    await world.ownMongo?.stopFailing();
    const resumed = await follow(streams, { after: stored[0] });
    await eventually(() => expect(resumed.ids()).toEqual(stored));
    stored.push(...(await store(new Date())));
    await eventually(() => expect(resumed.ids()).toEqual(stored));
    streams.close();
    await resumed.reading;
  });

  test('are refused beyond the limit of the process, and those that have ended do not count', async () => {
    const streams = createStreams({}, { maxPerProcess: 2 });
    for (let round = 0; round < 3; round += 1) {
      const sources = [await follow(streams), await follow(streams)];
      await expect(follow(streams)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterS: 5 });
      for (const { stream } of sources) await stream.return?.();
      await Promise.all(sources.map(({ reading }) => reading));
    }
  });

  test('share one change stream of the process, which ends with the last of them', async () => {
    // The faults of other tests leave cursors that the driver has given up.
    const startedAt = new Date();
    const countChangeStreams = async () => {
      const admin = mongoose.connection.getClient().db('admin');
      const operations = await admin.aggregate([{ $currentOp: { idleCursors: true } }]).toArray();
      const newer = operations.filter(({ cursor }) => cursor?.createdDate >= startedAt);
      return newer.filter(({ cursor }) => JSON.stringify(cursor).includes('$changeStream')).length;
    };
    const streams = createStreams();
    const sources = await Promise.all(Array.from({ length: 8 }, () => follow(streams)));
    await eventually(async () => expect(await countChangeStreams()).toBe(1));
    streams.close();
    await Promise.all(sources.map(({ reading }) => reading));
    await eventually(async () => expect(await countChangeStreams()).toBe(0));
  });
});
