// Level: ci
import type { ClientSession } from 'mongoose';
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { inSnapshot } from '#common/platform/mongo/snapshot.ts';
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { aSendableBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { afterEach, byLevel, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { dyingAfter, killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { startWorld } from '#test/support/product/world.ts';
import { createRandom } from '#test/support/random.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

/** Several chunks, and several transactions in each. */
const rowCount = byLevel({ quick: 400, full: 400, long: 3_000 });
/** The commands of a few transactions, and of preparing their letters. */
const maxCommand = 150;
const kills = byLevel({ quick: 2, full: 3, long: 12 });

describe('killing the worker of a bulk', () => {
  const world = startWorld({ environment: { WORK_LEASE_S: '2', WORKERS: 'render,scanner' } });
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 5_000_000 }));
  afterEach(killStartedPrograms);

  test('each row is exactly one mail job and one debit, wherever it is killed', async () => {
    const { seed, random } = createRandom();
    const totalCents = rowCount * 221;
    const bulkId = await aSendableBulk(customer, rowCount);
    expect((await customer.http.post(`/v1/bulk/${bulkId}/confirm`, { maxTotalCents: totalCents })).status).toBe(200);
    for (let round = 0; round < kills; round += 1) {
      const command = round === 0 ? 'commitTransaction' : 1 + Math.floor(random() * maxCommand);
      const environment = { ...world.environment, ...dyingAfter(command, 'ledger_entries') };
      const dying = await startProductProcess('workers/main.ts', environment);
      // A bulk that is sent before its worker is killed: the rounds that are left have nothing to do.
      const isKilled = await Promise.race([
        dying.ended.then(() => true),
        waitForBulk(customer, bulkId, ['sent']).then(
          () => false,
          () => false,
        ),
      ]);
      if (!isKilled) break;
      const sentCount = await expectConsistent(bulkId, `round ${round}, seed ${seed}`);
      // The first kill comes after the first transaction.
      if (round === 0) expect([sentCount > 0, sentCount < rowCount]).toEqual([true, true]);
    }
    const survivor = await startProductProcess('workers/main.ts', world.environment);
    const { progress } = await waitForBulk(customer, bulkId, ['sent']);
    expect(progress).toMatchObject({ sent: rowCount, sentCents: totalCents, refused: 0 });
    await expectConsistent(bulkId);
    const jobs = await jobsOf(bulkId);
    expect(new Set(jobs.map(({ externalId }) => externalId)).size).toBe(rowCount);
    survivor.kill('SIGTERM');
    await survivor.ended;
    expect(await findViolations()).toEqual([]);
  });

  const jobsOf = async (bulkId: string, session: ClientSession | null = null) =>
    await MailJob.find({ organizationId: customer.organizationId, externalId: { $regex: `^${bulkId}:` } })
      .session(session)
      .select({ externalId: 1 })
      .lean<Pick<MailJobRecord, '_id' | 'externalId'>[]>();

  /**
   * The progress counts exactly the mail jobs that exist, and each has one debit. In one snapshot: the commit of a killed
   * process may still come.
   */
  async function expectConsistent(bulkId: string, about = ''): Promise<number> {
    return await inSnapshot(async (snapshot) => {
      const jobs = await jobsOf(bulkId, snapshot);
      const { progress } = await Bulk.findById(bulkId).session(snapshot).orFail().lean<BulkRecord>();
      const ids = jobs.map(({ _id }) => _id);
      // A letter that too many killed processes were rendering has failed, and has a refund too.
      const debits = await LedgerEntry.find({ kind: 'debit', mailJobId: { $in: ids } })
        .session(snapshot)
        .lean();
      const found = { about, sent: progress.sent, debits: debits.length };
      expect(found).toEqual({ about, sent: jobs.length, debits: jobs.length });
      return jobs.length;
    });
  }
});
