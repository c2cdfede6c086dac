// Level: unit
import mongoose from 'mongoose';
import type { CommittedEvent } from '#common/events/event-feed.ts';
import { createEventQueue } from '#common/events/event-queue.ts';
import { newId } from '#common/ids.ts';
import { describe, expect, test } from '../support/jest.ts';

const events = (count: number): CommittedEvent[] =>
  Array.from({ length: count }, () => {
    const event = {
      _id: newId('evt'),
      kind: 'MAIL_QUEUED',
      subjectId: newId('mj'),
      body: '{}',
      at: new Date(),
    } as const;
    return { ...event, clusterTime: new mongoose.mongo.Timestamp(0n) };
  });
const longMs = 60_000;

describe('the event queue of a stream', () => {
  test('returns all events in order to a client that keeps up', async () => {
    const queue = createEventQueue(10);
    const [few, many] = [events(3), events(100)];
    queue.push(few);
    expect(await queue.take(longMs)).toEqual(few);
    const taking = queue.take(longMs);
    queue.push(many);
    expect(await taking).toEqual(many);
    expect(queue.hasEnded()).toBe(false);
  });

  test('ends and frees its events when more wait than allowed', async () => {
    const queue = createEventQueue(10);
    queue.push(events(6));
    queue.push(events(4));
    expect(queue.hasEnded()).toBe(false);
    queue.push(events(1));
    expect(queue.hasEnded()).toBe(true);
    queue.push(events(5));
    expect(await queue.take(longMs)).toEqual([]);
  });

  test('returns nothing on a timeout and at its end', async () => {
    const queue = createEventQueue(10);
    expect(await queue.take(1)).toEqual([]);
    const taking = queue.take(longMs);
    queue.end();
    expect(await taking).toEqual([]);
    expect(await queue.take(longMs)).toEqual([]);
  });
});
