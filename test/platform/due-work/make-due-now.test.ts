// Level: push
import { newId } from '#common/ids.ts';
import { MailJob, renderWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { type DueRow, newDue } from '#common/platform/due-work/due-work.ts';
import { makeDueNow } from '#common/platform/due-work/make-due-now.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { beforeEach, describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('work that is made due now', () => {
  startWorld({ hasTariffs: false });
  const now = new Date('2026-03-02T10:00:00.000Z');
  const rows = () => rowsOf<DueRow & { due: object }>(MailJob);
  const owner = newId('org');
  /** Stores a letter whose rendering has failed, and returns its id. */
  async function aFailure(organizationId: string, afterMs: number): Promise<string> {
    const _id = newId('mj');
    const render = { ...newDue(new Date(now.getTime() + afterMs)), failures: 4 };
    await rows().insertOne({ _id, organizationId, due: { render } });
    return _id;
  }
  beforeEach(() => rows().deleteMany({}));

  test('keeps its place when it was due before, and starts again with all its tries', async () => {
    const [before, later] = [await aFailure(owner, -60_000), await aFailure(owner, 60_000)];
    await aFailure(newId('org'), 60_000);
    expect(await makeDueNow(renderWork, owner, now)).toEqual({ count: 2, someIds: [before, later] });
    const due = await rows().find({ organizationId: owner }).sort({ 'due.render.at': 1 }).toArray();
    expect(due).toMatchObject([
      { _id: before, due: { render: { at: new Date(now.getTime() - 60_000), failures: 0 } } },
      { _id: later, due: { render: { at: now, failures: 0 } } },
    ]);
  });
});
