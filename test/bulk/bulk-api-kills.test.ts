// Level: ci
import { AuditEntry } from '#common/audit/audit.model.ts';
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { aList, uploadForBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { afterEach, beforeAll, byLevel, describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { dyingAfter, killStartedPrograms } from '#test/support/processes/process-control.ts';
import { startApis } from '#test/support/product/api-fleet.ts';
import { type Answer, createClient } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { createRandom } from '#test/support/random.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

const letterCents = 221;
const rowCount = byLevel({ quick: 20, full: 40, long: 60 });

/** What a client asks for, and about how many commands the API sends for it. */
const commandsOf = { confirm: 6, cancel: 6, create: 8, pause: 3, resume: 4 } as const;
type Action = keyof typeof commandsOf;
const actions = Object.keys(commandsOf) as Action[];

const { SEED } = process.env;
const seedCount = byLevel({ quick: 2, full: 3, long: 20 });
const seeds = SEED === undefined ? Array.from({ length: seedCount }, (_, index) => index) : [Number(SEED)];

describe('killing the API while a bulk is created or changed', () => {
  const world = startWorld({
    ...{ hasWorkers: true, hasOwnMongo: true },
    environment: { WORK_LEASE_S: '2', WORKERS: 'render,scanner' },
  });
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 5_000_000 }));
  beforeAll(() => world.ownMongo?.keepTransactionsFor(3));
  afterEach(killStartedPrograms);

  /** Returns a client whose process dies during `action`, after which it asks another one. */
  async function startClient(action: Action, random: () => number) {
    const isFirst = seeds.length < actions.length;
    const command = isFirst ? 'commitTransaction' : 1 + Math.floor(random() * commandsOf[action]);
    const [api] = await startApis(world, 1, dyingAfter(command, action === 'create' ? 'uploads' : 'bulks'));
    if (!api) throw new Error('No API was started');
    const dying = createClient(api.url, customer.key);
    let hasDied = false;
    return {
      hasDied: () => hasDied,
      async post(name: Action, path: string, body?: object): Promise<Answer> {
        if (name === action) {
          const answer = await dying.post(path, body).catch(() => null);
          hasDied = answer === null;
          if (answer && answer.status !== 503) return answer;
        }
        return await eventually(async () => {
          const answer = await customer.http.post(path, body);
          expect(answer.status).not.toBe(503);
          return answer;
        });
      },
    };
  }

  /** Sends a bulk, and cancels some, while the process that is asked for one of the steps dies. */
  async function killDuring(seed: number): Promise<boolean> {
    const { random } = createRandom(seed);
    const action = actions[seed % actions.length] ?? 'confirm';
    const client = await startClient(action, random);
    const before = await customer.balanceCents();
    const created = await client.post('create', '/v1/bulk', await uploadForBulk(customer, aList(rowCount)));
    expect(created.status).toBe(202);
    const { bulkId } = created.body;
    const change = (name: Action, body?: object) => client.post(name, `/v1/bulk/${bulkId}/${name}`, body);
    await waitForBulk(customer, bulkId, ['ready']);
    expect((await change('confirm', { maxTotalCents: rowCount * letterCents })).status).toBe(200);
    // Each may be too late: the bulk is sent.
    if (action === 'pause' || action === 'resume') {
      expect([200, 409]).toContain((await change('pause')).status);
      expect([200, 409]).toContain((await change('resume', {})).status);
    }
    const isCancelled = action === 'cancel' || random() < 0.3;
    if (isCancelled) expect((await change('cancel')).status).toBe(200);
    await expectOnce(bulkId, before, isCancelled);
    return client.hasDied();
  }

  async function expectOnce(bulkId: string, before: number, isCancelled: boolean): Promise<void> {
    const bulk = await eventually(async () => {
      const found = await Bulk.findById(bulkId).orFail().lean<BulkRecord>();
      expect([found.state, found.due.send]).toEqual([isCancelled ? 'cancelled' : 'sent', undefined]);
      return found;
    });
    const jobs = await MailJob.find({ externalId: { $regex: `^${bulkId}:` } }).lean<MailJobRecord[]>();
    const count = async (kind: 'debit' | 'refund') =>
      await LedgerEntry.countDocuments({ kind, mailJobId: { $in: jobs.map(({ _id }) => _id) } });
    const cancelled = jobs.filter(({ failure }) => failure?.code === 'CANCELLED').length;
    const { sent, sentCents, notCancelled } = bulk.progress;
    expect(new Set(jobs.map(({ externalId }) => externalId)).size).toBe(jobs.length);
    expect({ sent, sentCents, debits: await count('debit') }).toEqual({
      ...{ sent: jobs.length, sentCents: jobs.length * letterCents, debits: jobs.length },
    });
    expect([bulk.progress.cancelled, await count('refund')]).toEqual([cancelled, cancelled]);
    expect(jobs.length).toBe(isCancelled ? cancelled + notCancelled : rowCount);
    // Of the whole wallet: a bulk that was created and never confirmed costs nothing.
    expect(before - (await customer.balanceCents())).toBe((jobs.length - cancelled) * letterCents);
    const audited = (await AuditEntry.find({ subjectId: bulkId }).lean()).map(({ action }) => action);
    expect(audited.toSorted()).toEqual([...(isCancelled ? ['bulk.cancelled'] : []), 'bulk.confirmed']);
    expect(await findViolations()).toEqual([]);
  }

  test('each row is at most one letter and one debit after the retries, and refunds are exact', async () => {
    let deaths = 0;
    for (const seed of seeds) {
      const hasDied = await killDuring(seed).catch((error: Error) => {
        throw new Error(`Run with SEED=${seed}: ${error.message}`, { cause: error });
      });
      deaths += hasDied ? 1 : 0;
    }
    // A process that is asked for less than expected lives on.
    expect(deaths).toBeGreaterThanOrEqual(SEED === undefined ? seeds.length / 2 : 0);
  });
});
