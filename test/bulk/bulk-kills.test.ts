import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { aSendableBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { afterEach, byLevel, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { dyingAfter, killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { startWorld } from '#test/support/product/world.ts';
import { createRandom } from '#test/support/random.ts';

/** Several chunks, and several transactions in each. */
const rowCount = byLevel({ quick: 400, full: 3_000 });
/** Commands of one chunk, and of looking for it. */
const maxCommand = 150;
const kills = byLevel({ quick: 2, full: 20 });

describe('killing the worker of a bulk', () => {
  const world = startWorld({ environment: { WORK_LEASE_S: '2', WORKERS: 'render,scanner' } });
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 5_000_000 }));
  afterEach(killStartedPrograms);

  test(
    'each row is exactly one mail job and one debit, wherever it is killed',
    async () => {
      const { seed, random } = createRandom();
      const totalCents = rowCount * 221;
      const bulkId = await aSendableBulk(customer, rowCount);
      const before = await customer.balanceCents();
      expect((await customer.http.post(`/v1/bulk/${bulkId}/confirm`, { maxTotalCents: totalCents })).status).toBe(200);
      for (let round = 0; round < kills; round += 1) {
        const command = round === 0 ? 'commitTransaction' : 1 + Math.floor(random() * maxCommand);
        const dying = await startProductProcess('workers/main.ts', { ...world.environment, ...dyingAfter(command) });
        // A bulk that is sent before its worker is killed: the rounds that are left have nothing to do.
        const isKilled = await Promise.race([
          dying.ended.then(() => true),
          waitForBulk(customer, bulkId, ['sent'], 60_000).then(
            () => false,
            () => false,
          ),
        ]);
        if (!isKilled) break;
        const sentCount = await expectConsistent(bulkId, `round ${round}, seed ${seed}`);
        // The first kill comes after the first transaction.
        if (round === 0) expect([sentCount > 0, sentCount < rowCount]).toEqual([true, true]);
      }
      await startProductProcess('workers/main.ts', world.environment);
      const { progress } = await waitForBulk(customer, bulkId, ['sent'], 60_000);
      expect(progress).toMatchObject({ sent: rowCount, sentCents: totalCents, refused: 0 });
      await expectConsistent(bulkId);
      const jobs = await jobsOf(bulkId);
      expect(new Set(jobs.map(({ externalId }) => externalId)).size).toBe(rowCount);
      expect(before - (await customer.balanceCents())).toBe(totalCents);
    },
    byLevel({ quick: 180_000, full: 600_000 }),
  );

  const jobsOf = async (bulkId: string) =>
    await MailJob.find({ organizationId: customer.organizationId, externalId: { $regex: `^${bulkId}:` } })
      .select({ externalId: 1 })
      .lean<Pick<MailJobRecord, '_id' | 'externalId'>[]>();

  /** The progress counts exactly the mail jobs that exist, and each has one debit. */
  async function expectConsistent(bulkId: string, about = ''): Promise<number> {
    const jobs = await jobsOf(bulkId);
    const { progress } = await Bulk.findById(bulkId).orFail().lean<BulkRecord>();
    const debits = await LedgerEntry.countDocuments({ mailJobId: { $in: jobs.map(({ _id }) => _id) } });
    expect({ about, sent: progress.sent, debits }).toEqual({ about, sent: jobs.length, debits: jobs.length });
    return jobs.length;
  }
});
