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

  test("another organization's letter is not found", async () => {
    const stranger = await world.customer({ mode: 'live' });
    const answer = await stranger.http.patch(`/v1/mails/${await scene.send()}`, { metadata: null });
    expect(answer.status).toBe(404);
  });
});
