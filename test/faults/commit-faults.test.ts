// Level: push
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { afterEach, describe, expect, test } from '../support/jest.ts';
import { aSender, ledgerOf, type Sender } from '../support/product/customer.ts';
import { startWorld, type World } from '../support/product/world.ts';
import { expectInvariants } from '../support/wallet/invariants.ts';

type Fault = Parameters<World['fail']>[0];
/** How often the fault occurs, and what fails. */
type Row = [fault: string, times: number, does: Fault];

const insert = { failCommands: ['insert'], collection: 'mail_jobs' };
const commit = { failCommands: ['commitTransaction'] };
const debit = { failCommands: ['findAndModify', 'update', 'bulkWrite'], collection: 'wallets' };
const transient = { errorLabels: ['TransientTransactionError'] };
const conflict = { errorCode: 112, ...transient };
const refusal = { errorCode: 11_000, errorExtraInfo: { keyPattern: { externalId: 1 }, keyValue: { externalId: 'a' } } };
const notReplicated = { code: 64, errmsg: 'waiting for replication timed out' };
const unknown = { errorLabels: ['UnknownTransactionCommitResult'] };

/** Faults between the first write and the response to the commit, injected by MongoDB's fail points. */
const faults: Row[] = [
  ['a write conflict', 2, { ...insert, ...conflict }],
  ['a primary that steps down', 1, { ...insert, errorCode: 91, ...transient }],
  ['a wallet update that conflicts', 2, { ...debit, ...conflict }],
  ['a unique index that refuses a row without a visible duplicate', 3, { ...insert, ...refusal }],
  ['a connection lost at a write', 1, { ...insert, closeConnection: true }],
  ['a connection lost at the commit', 1, { ...commit, closeConnection: true }],
  ['a commit that is refused as transient', 1, { ...commit, errorCode: 251, ...transient }],
  ['a commit that is stored, but not yet replicated', 1, { ...commit, writeConcernError: notReplicated, ...unknown }],
  ['a commit that is answered late', 1, { ...commit, blockConnection: true, blockTimeMS: 3_000 }],
];

describe('a database that fails during a send', () => {
  const world = startWorld({ hasOwnMongo: true, isImpatient: true });
  afterEach(async () => {
    await world.ownMongo?.stopFailing();
  });

  test.each(faults)('%s: each answer matches what is stored', async (_fault, times, does) => {
    const sender = await aSender(world);
    const before = (await ledgerOf(sender)).length;
    const externalIds = ['a', 'b', 'c', 'd', 'e'];
    await world.fail(does, times);

    const answers = await Promise.all(externalIds.map((externalId) => sender.send({ externalId })));
    expect(await world.ownMongo?.stopFailing()).toBeGreaterThanOrEqual(1);

    for (const [n, { status, body }] of answers.entries()) {
      const job = await jobOf(sender, externalIds[n] ?? '');
      expect([201, 503]).toContain(status);
      if (status === 201) expect(body.mailJobId).toBe(job?._id);
    }
    const again = await Promise.all(externalIds.map((externalId) => sender.send({ externalId })));
    for (const [n, { status, body }] of again.entries()) {
      expect([200, 201]).toContain(status);
      if (answers[n]?.status === 201) expect([status, body.mailJobId]).toEqual([200, answers[n].body.mailJobId]);
    }
    const debits = (await ledgerOf(sender)).slice(before);
    expect(debits.map(({ mailJobId }) => mailJobId).sort()).toEqual(again.map(({ body }) => body.mailJobId).sort());
    await expectInvariants();
  });

  test('a database that keeps failing leads to 503 with Retry-After and no debit', async () => {
    const sender = await aSender(world);
    const balanceCents = await sender.balanceCents();
    await world.fail({ ...insert, ...conflict }, 100_000);

    const { status, headers, body } = await sender.send({ externalId: 'never' });
    await world.ownMongo?.stopFailing();

    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    expect(await sender.balanceCents()).toBe(balanceCents);
    expect(await MailJob.countDocuments({ organizationId: sender.organizationId })).toBe(0);
    await expectInvariants();
  });
});

async function jobOf({ organizationId }: Sender, externalId: string): Promise<MailJobRecord | null> {
  return await MailJob.findOne({ organizationId, externalId }).lean<MailJobRecord>();
}
