import { Upload } from '#common/uploads/upload.model.ts';
import { standingClock } from '#test/support/clock.ts';
import { beforeAll, describe, expect, test } from '#test/support/jest.ts';
import { openOnce } from '#test/support/open-once.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aSender, issuePaths } from '#test/support/webhooks/sender.ts';

/** A Monday morning. The cutoff, 15:00 in Brussels, is 13:00 UTC in summer and 14:00 UTC in winter. */
const monday = new Date('2030-07-01T08:00:00.000Z');

describe('the drop time of a letter', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const sender = openOnce(() => aSender(world));
  beforeAll(async () => {
    await Upload.updateOne({ _id: sender.s3Key }, { usableUntil: new Date('2032-01-01T00:00:00.000Z') });
    clock.set(monday);
  });

  test.each([
    ['2030-07-01T08:00:00.000Z', '2030-07-01T13:00:00.000Z', 'a working morning'],
    ['2030-07-01T13:00:00.000Z', '2030-07-01T13:00:00.000Z', 'the cutoff itself'],
    ['2030-07-01T13:00:00.001Z', '2030-07-02T13:00:00.000Z', 'a millisecond after the cutoff'],
    ['2030-07-05T13:00:00.001Z', '2030-07-08T13:00:00.000Z', 'a Friday evening'],
    ['2030-11-01T08:00:00.000Z', '2030-11-04T14:00:00.000Z', 'a public holiday'],
  ])('without scheduledDropAt at %s, dropAt is %s: %s', async (now, dropAt) => {
    clock.set(new Date(now));
    const { status, body } = await sender.send();
    clock.set(monday);
    expect(status).toBe(201);
    expect(body).toMatchObject({ scheduledDropAt: null, dropAt, createdAt: now });
  });

  test.each([
    ['2030-07-01T08:00:00.000Z', '2030-07-01T13:00:00.000Z', 'now'],
    ['2030-07-05T15:00:00+02:00', '2030-07-05T13:00:00.000Z', 'a cutoff, written with an offset'],
    ['2030-07-05T13:00:00.001Z', '2030-07-08T13:00:00.000Z', 'just after a cutoff, before a weekend'],
    ['2030-07-20T10:00:00Z', '2030-07-22T13:00:00.000Z', 'a weekend with a holiday in it'],
    ['2030-12-25T08:00:00-05:00', '2030-12-26T14:00:00.000Z', 'Christmas'],
    ['2030-12-28T08:00:00.000Z', '2030-12-30T14:00:00.000Z', '180 days ahead to the millisecond'],
  ])('with scheduledDropAt %s, dropAt is %s: %s', async (scheduledDropAt, dropAt) => {
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
  ])('the scheduledDropAt %s is refused with 400: %s', async (scheduledDropAt, _what) => {
    const before = await sender.balanceCents();
    const answer = await sender.send({ scheduledDropAt });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(issuePaths(answer)).toEqual(['scheduledDropAt']);
    expect(await sender.balanceCents()).toBe(before);
  });

  test('a scheduledDropAt of null counts as absent', async () => {
    const { status, body } = await sender.send({ scheduledDropAt: null });
    expect(status).toBe(201);
    expect(body).toMatchObject({ scheduledDropAt: null, dropAt: '2030-07-01T13:00:00.000Z' });
  });
});
