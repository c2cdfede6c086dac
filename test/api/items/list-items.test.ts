// Level: push
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { redactPeople } from '#common/production/retention/retain.ts';
import { beforeAll, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aRequestAddress, aSender, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { comeBack } from '#test/support/production/come-back.ts';

describe('GET /v1/items', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world));
  const at = (second: number) => new Date(Date.UTC(2027, 2, 1, 9, 0, second));
  const list = async (query = '') => (await sender.http.get(`/v1/items?${query}`)).body;
  const idsOf = ({ data }: { data: { itemId: string }[] }) => data.map(({ itemId }) => itemId);
  let marked: { itemId: string; mailJobId: string }[] = [];

  beforeAll(async () => {
    const recipients = [aRequestAddress({ name: 'Bo' }), aRequestAddress({ name: 'Cy', zip: '9000', city: 'Gent' })];
    const two = await sender.sendAccepted({ recipients, externalId: 'two' });
    const one = await sender.sendAccepted({ recipients });
    marked = [
      await comeBack(two, world, { at: at(1), reason: 'refused' }),
      await comeBack(two, world, { at: at(2), index: 1 }),
      // At the same moment as the one before.
      await comeBack(one, world, { at: at(2), index: 0 }),
    ];
    await MailJob.updateOne({ _id: two }, { $set: { 'items.1.status': 'delivered' } });
  });

  test('lists the copies that came back, with their letter and place, newest first', async () => {
    const { data, ...rest } = await list('status=returned');
    expect(rest).toEqual({ hasMore: false, nextCursor: null });
    expect(data).toHaveLength(3);
    expect(data.map(({ returned }: { returned: { at: string } }) => returned.at)).toEqual(
      [at(2), at(2), at(1)].map((each) => each.toISOString()),
    );
    expect(data.find(({ itemId }: { itemId: string }) => itemId === marked[1]?.itemId)).toEqual({
      itemId: marked[1]?.itemId,
      mailJobId: marked[1]?.mailJobId,
      externalId: 'two',
      status: 'delivered',
      returned: { reason: 'moved', at: at(2).toISOString() },
      name: 'Cy',
      zip: '9000',
      city: 'Gent',
      country: 'BE',
    });
    expect(data[2]).toMatchObject({ itemId: marked[0]?.itemId, name: 'Bo', returned: { reason: 'refused' } });
    expect(data.find(({ itemId }: { itemId: string }) => itemId === marked[2]?.itemId).externalId).toBeNull();
    expect(await list()).toEqual({ data, ...rest });
  });

  test('updatedAfter includes its moment, to the millisecond', async () => {
    expect(idsOf(await list(`updatedAfter=${at(1).toISOString()}`))).toHaveLength(3);
    expect(idsOf(await list(`updatedAfter=${new Date(at(1).getTime() + 1).toISOString()}`))).toHaveLength(2);
    expect(idsOf(await list(`updatedAfter=${new Date(at(2).getTime() + 1).toISOString()}`))).toEqual([]);
  });

  test('pages through copies of the same moment, each once', async () => {
    const whole = idsOf(await list());
    const first = await list('limit=1');
    const second = await list(`limit=1&cursor=${first.nextCursor}`);
    const third = await list(`limit=1&cursor=${second.nextCursor}`);
    expect([first, second, third].flatMap(idsOf)).toEqual(whole);
    expect([first.hasMore, second.hasMore, third.hasMore, third.nextCursor]).toEqual([true, true, false, null]);
  });

  test('a cursor is refused with another updatedAfter, and other statuses are', async () => {
    const { nextCursor } = await list('limit=1');
    const moved = await sender.http.get(`/v1/items?cursor=${nextCursor}&updatedAfter=${at(0).toISOString()}`);
    expect([moved.status, issuePaths(moved)]).toEqual([400, ['cursor']]);
    const unknown = await sender.http.get('/v1/items?status=posted');
    expect([unknown.status, issuePaths(unknown)]).toEqual([400, ['status']]);
  });

  test('a redacted letter shows its copies without their recipients', async () => {
    const owner = await aSender(world);
    const { itemId, mailJobId } = await comeBack(await owner.sendAccepted(), world);
    await redactPeople({ ...owner, _id: mailJobId, files: [] }, new Date());
    const [item] = (await owner.http.get('/v1/items')).body.data;
    expect(item).toMatchObject({ itemId, name: 'REDACTED', zip: 'REDACTED', city: 'REDACTED', country: 'BE' });
  });
});
