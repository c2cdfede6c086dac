// Level: push
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { pauseWork, resumeWork } from '#common/operations/change-pauses.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { Pause } from '#common/platform/due-work/pause.model.ts';
import { settleRestored } from '#scripts/backup/settle-restored.ts';
import { insertBulk } from '../support/bulk/a-bulk.ts';
import { afterEach, describe, expect, standingClock, test } from '../support/jest.ts';
import { aRequestAddress } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { startPressScene } from '../support/production/press-scene.ts';

const by = { kind: 'cli', id: 'ada' } as const;
const dispatch = { work: 'dispatch', organizationId: null } as const;
const all = { work: 'all', organizationId: null } as const;

describe('a restored installation that is settled', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const settle = () => settleRestored(by, clock.now());
  const readPaused = async () =>
    (await Pause.find({ endedAt: { $exists: false } }).lean()).map(({ work }) => work).sort();
  afterEach(() => Pause.deleteMany());

  test('a batch that collects letters is closed, and a repeat finds none', async () => {
    const { _id, closesAt } = await scene.sendRendered({ recipients: [aRequestAddress({ name: 'Ada' })] });
    clock.set(closesAt);
    await scene.collect();
    const open = await scene.batchOf(_id);
    expect([open.state, await settle(), await settle()]).toMatchObject([
      'open',
      { closedBatches: 1 },
      { closedBatches: 0 },
    ]);
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'closed', closedAt: clock.now() });
  });

  test('confirmed live lists and dispatch are paused, and a repeat names the same lists', async () => {
    const owner = { organizationId: 'org_1', mode: 'live' } as const;
    const pause = { code: 'INSUFFICIENT_FUNDS', message: 'Top up.' } as const;
    const ids = [
      await insertBulk(owner, { state: 'sending', due: { send: newDue(clock.now()) } }),
      // Its owner may have resumed it after the backup.
      await insertBulk(owner, { state: 'paused', pause }),
      await insertBulk({ ...owner, mode: 'test' }, { state: 'paused', pause }),
      await insertBulk(owner, { state: 'ready' }),
    ];
    const settled = {
      closedBatches: 0,
      pausedBulks: ids.slice(0, 2).map((bulkId) => ({ bulkId, organizationId: 'org_1' })),
    };
    expect([await settle(), await settle()]).toEqual([settled, settled]);
    const bulks = await Bulk.find().sort({ _id: 1 }).lean<BulkRecord[]>();
    const restored = { code: 'REQUESTED', message: expect.stringContaining('restored from a backup') };
    expect(bulks.map((bulk) => [bulk.state, bulk.pause, bulk.due.send])).toEqual([
      ['paused', restored, undefined],
      ['paused', restored, undefined],
      ['paused', pause, undefined],
      ['ready', null, undefined],
    ]);
    expect(await readPaused()).toEqual(['dispatch']);
    await resumeWork(dispatch, by, clock.now());
    expect(await readPaused()).toEqual([]);
  });

  test('while all work is paused, dispatch gets a pause of its own, which lasts longer', async () => {
    await pauseWork({ ...all, reason: 'upgrade' }, by, clock.now());
    await settle();
    expect(await readPaused()).toEqual(['all', 'dispatch']);
    await resumeWork(all, by, clock.now());
    expect(await readPaused()).toEqual(['dispatch']);
  });
});
