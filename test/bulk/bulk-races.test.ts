// Level: push
import { cancelBulk, confirmBulk, pauseSending, resumeSending } from '#common/bulk/actions/change-bulk.ts';
import { Bulk, type BulkRecord, hasNoRows } from '#common/bulk/model/bulk.model.ts';
import { BulkRow } from '#common/bulk/model/bulk-row.model.ts';
import { removeOldBulks } from '#common/bulk/remove-old-bulks.ts';
import { plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { aSendableBulk, runBulk } from '#test/support/bulk/a-bulk.ts';
import { byLevel, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { raceOnStore } from '#test/support/races/race-on-store.ts';
import { overSeeds, type Schedule } from '#test/support/races/schedule.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

const rowCount = 4;
const letterCents = 221;
const dayMs = 24 * 60 * 60 * 1000;

describe('requests about one bulk, its worker and the cleanup, in any order of database commands', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 5_000_000 }));

  /** Asks until the service is available. A request that comes too early or too late is refused. */
  async function ask(request: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        return void (await request());
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'CONFLICT') return;
        if (error.code !== 'SERVICE_UNAVAILABLE') throw error;
      }
    }
  }

  async function raceBulk(schedule: Schedule): Promise<void> {
    const { organizationId, mode } = customer;
    const actor = { kind: 'key', id: customer.keyId } as const;
    const caller = { organizationId, mode, scopes: ['read'] as const, id: customer.keyId, actor };
    const before = await customer.balanceCents();
    const now = new Date();
    const id = await aSendableBulk(customer, rowCount, { removeAt: plusMs(now, 7 * dayMs) });
    const begin = (work: () => Promise<unknown>) => () => schedule.step('arrives', () => {}).then(work);
    const confirm = begin(() => ask(() => confirmBulk(caller, id, {}, world, new Date())));
    const work = begin(() => runBulk(world, id));
    await raceOnStore(schedule, {
      ...{ 'confirm 1': confirm, 'confirm 2': confirm, 'worker 1': work, 'worker 2': work },
      pause: begin(() => ask(() => pauseSending(caller, id, new Date()))),
      resume: begin(() => ask(() => resumeSending(caller, id, { acceptNewPrice: false }, world, new Date()))),
      cancel: begin(() => ask(() => cancelBulk(caller, id, world, new Date()))),
      ...(schedule.random() < 0.5 && { cleanup: begin(() => removeOldBulks(plusMs(now, 8 * dayMs))) }),
    });
    const bulk = await runBulk(world, id);
    await expectConsistent(bulk, before);
    await Bulk.updateOne({ _id: id }, { $unset: { removeAt: '' } });
  }

  async function expectConsistent(bulk: BulkRecord, before: number) {
    const { _id, state, progress, confirmedAt } = bulk;
    const jobs = await MailJob.find({ externalId: { $regex: `^${_id}:` } }).lean<MailJobRecord[]>();
    const count = async (kind: 'debit' | 'refund') =>
      await LedgerEntry.countDocuments({ kind, mailJobId: { $in: jobs.map((job) => job._id) } });
    const failed = jobs.filter(({ status }) => status === 'failed').length;
    expect([progress.sent, await count('debit')]).toEqual([jobs.length, jobs.length]);
    expect([progress.cancelled, await count('refund')]).toEqual([failed, failed]);
    expect(before - (await customer.balanceCents())).toBe((jobs.length - failed) * letterCents);
    // Cancelled is the only end of a bulk that is asked to be cancelled, and none of its letters is left.
    expect([state, failed]).toEqual(['cancelled', jobs.length]);
    const isRemoved = hasNoRows(bulk);
    expect(await BulkRow.countDocuments({ bulkId: _id })).toBe(isRemoved ? 0 : rowCount);
    // The cleanup or the cancellation came before any confirmation.
    if (isRemoved) expect([confirmedAt, jobs.length]).toEqual([null, 0]);
    expect(await findViolations()).toEqual([]);
  }

  test('a letter is sent once, and cancelling leaves none', () =>
    overSeeds(byLevel({ quick: 6, full: 40, long: 150 }), raceBulk));
});
