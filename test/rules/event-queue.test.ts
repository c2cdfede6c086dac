import { describe, expect, test } from '@jest/globals';
import { newId } from '../../common/ids.ts';
import { createEventQueue } from '../../common/webhooks/event-queue.ts';
import type { TailEvent } from '../../common/webhooks/event-tail.ts';

const events = (count: number): TailEvent[] =>
  Array.from({ length: count }, () => {
    return { _id: newId('evt'), kind: 'MAIL_QUEUED', subjectId: newId('mj'), body: '{}', at: new Date() };
  });
const forEver = 60_000;

describe('the events that wait for one stream', () => {
  test('given a client who takes what comes, when it comes in any number, then it is all there, in order', async () => {
    const queue = createEventQueue(10);
    const [few, many] = [events(3), events(100)];
    queue.push(few);
    expect(await queue.take(forEver)).toEqual(few);
    const taking = queue.take(forEver);
    queue.push(many);
    expect(await taking).toEqual(many);
    expect(queue.isOver()).toBe(false);
  });

  test('given a client who takes nothing, when more comes than may wait, then it is over, and nothing is kept for him', async () => {
    const queue = createEventQueue(10);
    queue.push(events(6));
    queue.push(events(4));
    expect(queue.isOver()).toBe(false);
    queue.push(events(1));
    expect(queue.isOver()).toBe(true);
    queue.push(events(5));
    expect(await queue.take(forEver)).toEqual([]);
  });

  test('given a client who waits, when nothing comes in time or the stream ends, then he hears so', async () => {
    const queue = createEventQueue(10);
    expect(await queue.take(1)).toEqual([]);
    const taking = queue.take(forEver);
    queue.end();
    expect(await taking).toEqual([]);
    expect(await queue.take(forEver)).toEqual([]);
  });
});
