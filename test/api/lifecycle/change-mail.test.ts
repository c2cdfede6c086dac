// Level: push
import { maxReschedules } from '#common/mail-jobs/lifecycle/change-mail-job.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

describe('PATCH /v1/mails/{id}', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const change = (id: string, patch: unknown) => scene.customer.http.patch(`/v1/mails/${id}`, patch);

  test('a letter moves to another cutoff, and back to the next one', async () => {
    const { _id: id, dropAt } = await scene.sendRendered();
    const scheduledDropAt = '2027-03-04T09:00:00+01:00';
    const { status, body } = await change(id, { scheduledDropAt });
    const moved = { scheduledDropAt: '2027-03-04T08:00:00.000Z', dropAt: '2027-03-04T14:00:00.000Z' };
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...moved, cancellableUntil: '2027-03-04T12:30:00.000Z', status: 'queued' });
    expect((await scene.read(id)).due.batch?.at).toEqual(new Date('2027-03-04T12:30:00Z'));
    const timeline = (await scene.customer.http.get(`/v1/mails/${id}/timeline`)).body.data;
    expect(timeline.at(-1)).toMatchObject({ kind: 'rescheduled', detail: { dropAt: moved.dropAt } });
    clock.advance(1_000);
    expect((await change(id, { scheduledDropAt: null })).body).toMatchObject({
      scheduledDropAt: null,
      dropAt: dropAt.toISOString(),
    });
    await scene.bringToPress(id);
    expect((await scene.batchOf(id)).cutoffAt).toEqual(dropAt);
    expect(await change(id, { scheduledDropAt })).toMatchObject({ status: 409, body: { code: 'NOT_CANCELLABLE' } });
  });

  test('a change that leaves the cutoff is no step, and a letter moves 50 times at most', async () => {
    const id = await scene.send();
    const steps = async () => {
      const { body } = await scene.customer.http.get(`/v1/mails/${id}/timeline`);
      return body.data.filter(({ kind }: { kind: string }) => kind === 'rescheduled').length;
    };
    const days = ['2027-03-04T09:00:00Z', '2027-03-05T09:00:00Z'];
    expect((await change(id, { scheduledDropAt: days[1] })).status).toBe(200);
    expect((await change(id, { scheduledDropAt: '2027-03-05T10:00:00Z' })).body).toMatchObject({
      scheduledDropAt: '2027-03-05T10:00:00.000Z',
      dropAt: '2027-03-05T14:00:00.000Z',
    });
    expect(await steps()).toBe(1);
    // By a clock that stands: changes in one millisecond are steps of their own.
    for (let count = 1; count < maxReschedules; count += 1) {
      expect((await change(id, { scheduledDropAt: days[(count - 1) % 2] })).status).toBe(200);
    }
    expect(await steps()).toBe(maxReschedules);
    const refused = await change(id, { scheduledDropAt: '2027-03-08T09:00:00Z' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await change(id, { metadata: { still: 'possible' } })).status).toBe(200);
  });

  test('metadata is merged: null removes a key, or all of them', async () => {
    const id = await scene.send({ metadata: { invoice: '1', team: 'a' } });
    const metadataOf = async (patch: unknown) => (await change(id, { metadata: patch })).body.metadata;
    expect(await metadataOf({ team: 'b', colour: 'red' })).toEqual({ invoice: '1', team: 'b', colour: 'red' });
    expect(await metadataOf({ invoice: null, none: null })).toEqual({ team: 'b', colour: 'red' });
    const list = async (filter: string) => (await scene.customer.http.get(`/v1/mails?${filter}`)).body.data.length;
    expect([await list('metadata[team]=b'), await list('metadata[invoice]=1')]).toEqual([1, 0]);
    expect(await metadataOf(null)).toEqual({});
    expect(await list('metadata[team]=b')).toBe(0);
    const keys = (count: number, from = 0) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${from + index}`, 'v']));
    expect(Object.keys(await metadataOf(keys(20)))).toHaveLength(20);
    const refused = await change(id, { metadata: keys(1, 20) });
    expect([refused.status, issuePaths(refused)]).toEqual([400, ['metadata']]);
  });

  test.each([
    [{}, ''],
    [{ color: true, metadata: null }, 'color'],
    [{ scheduledDropAt: '2027-02-28T09:00:00Z' }, 'scheduledDropAt'],
    [{ scheduledDropAt: '2028-03-01T09:00:00Z' }, 'scheduledDropAt'],
    [{ scheduledDropAt: '2027-03-04' }, 'scheduledDropAt'],
    [{ metadata: { 'a.b': 'c' } }, 'metadata.a.b'],
    [{ metadata: [] }, 'metadata'],
  ])('%j is refused', async (patch, path) => {
    const id = await scene.send();
    const refused = await change(id, patch);
    expect([refused.status, issuePaths(refused)]).toEqual([400, [path]]);
  });
});
