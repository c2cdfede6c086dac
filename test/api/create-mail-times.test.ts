import { beforeAll, describe, expect, test } from '@jest/globals';
import { Upload } from '../../common/uploads/upload.model.ts';
import { standingClock } from '../support/clock.ts';
import { aSender, issuePaths, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

/** A Monday morning. In summer the cutoff, 15:00 in Brussels, is 13:00 in UTC; in winter 14:00. */
const monday = new Date('2030-07-01T08:00:00.000Z');

describe('when a letter is handed in', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  let sender: Sender;
  beforeAll(async () => {
    sender = await aSender(world);
    await Upload.updateOne({ _id: sender.s3Key }, { usableUntil: new Date('2032-01-01T00:00:00.000Z') });
    clock.set(monday);
  });

  test.each([
    ['2030-07-01T08:00:00.000Z', '2030-07-01T13:00:00.000Z', 'a working morning'],
    ['2030-07-01T13:00:00.000Z', '2030-07-01T13:00:00.000Z', 'the cutoff itself'],
    ['2030-07-01T13:00:00.001Z', '2030-07-02T13:00:00.000Z', 'a millisecond after the cutoff'],
    ['2030-07-05T13:00:00.001Z', '2030-07-08T13:00:00.000Z', 'a Friday evening'],
    ['2030-11-01T08:00:00.000Z', '2030-11-04T14:00:00.000Z', 'a public holiday'],
  ])('given no scheduledDropAt at %s, when a letter is sent, then dropAt is %s: %s', async (now, dropAt) => {
    clock.set(new Date(now));
    const { status, body } = await sender.send();
    clock.set(monday);
    expect(status).toBe(201);
    expect(body).toMatchObject({ scheduledDropAt: null, dropAt, createdAt: now });
  });

  test.each([
    ['2030-07-01T08:00:00.000Z', '2030-07-01T13:00:00.000Z', 'now'],
    ['2030-07-05T15:00:00+02:00', '2030-07-05T13:00:00.000Z', 'a cutoff, written with an offset'],
    ['2030-07-05T13:00:00.001Z', '2030-07-08T13:00:00.000Z', 'just after one, before a weekend'],
    ['2030-07-20T10:00:00Z', '2030-07-22T13:00:00.000Z', 'a weekend with a holiday in it'],
    ['2030-12-25T08:00:00-05:00', '2030-12-26T14:00:00.000Z', 'Christmas'],
    ['2030-12-28T08:00:00.000Z', '2030-12-30T14:00:00.000Z', '180 days ahead to the millisecond'],
  ])('given the scheduledDropAt %s, when a letter is sent, then dropAt is %s: %s', async (scheduledDropAt, dropAt) => {
    const { status, body } = await sender.send({ scheduledDropAt });
    expect(status).toBe(201);
    expect(body).toMatchObject({ scheduledDropAt: new Date(scheduledDropAt).toISOString(), dropAt });
  });

  test.each([
    ['2030-07-01T07:59:59.999Z', 'a millisecond in the past'],
    ['2030-07-01T09:59:59.999+02:00', 'the same with an offset'],
    ['2030-12-28T08:00:00.001Z', 'a millisecond over 180 days ahead'],
    ['9999-12-31T23:59:59.999Z', 'the end of time'],
    ['2030-07-02T08:00:00', 'no offset'],
    ['2030-07-02', 'no time'],
    ['2030-09-31T08:00:00Z', 'no such day'],
    ['2030-07-02T24:00:00Z', 'no such hour'],
    ['tomorrow', 'words'],
    ['', 'nothing'],
    [1_909_209_600_000, 'a number'],
  ])('given the scheduledDropAt %s, when a letter is sent, then 400 names it: %s', async (scheduledDropAt, _what) => {
    const before = await sender.balanceCents();
    const answer = await sender.send({ scheduledDropAt });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(issuePaths(answer)).toEqual(['scheduledDropAt']);
    expect(await sender.balanceCents()).toBe(before);
  });

  test('given null as scheduledDropAt, when a letter is sent, then it counts as absent', async () => {
    const { status, body } = await sender.send({ scheduledDropAt: null });
    expect(status).toBe(201);
    expect(body).toMatchObject({ scheduledDropAt: null, dropAt: '2030-07-01T13:00:00.000Z' });
  });
});
