import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { afterEach, describe, expect, test } from '../support/jest.ts';
import { aSender, ledgerOf, type Sender } from '../support/product/customer.ts';
import { startWorld, type World } from '../support/product/world.ts';
import { expectInvariants } from '../support/wallet/invariants.ts';

type Row = { fault: string; times: number; does: Parameters<World['fail']>[0] };

const transient = ['TransientTransactionError'];
const unknown = ['UnknownTransactionCommitResult'];

/** Faults between the first write and the response to the commit, injected by MongoDB's fail points. */
const faults: Row[] = [
  {
    fault: 'a write conflict',
    times: 2,
    does: { failCommands: ['insert'], collection: 'mail_jobs', errorCode: 112, errorLabels: transient },
  },
  {
    fault: 'a primary that steps down',
    times: 1,
    does: { failCommands: ['insert'], collection: 'mail_jobs', errorCode: 91, errorLabels: transient },
  },
  {
    fault: 'a wallet update that conflicts',
    times: 2,
    does: {
      failCommands: ['findAndModify', 'update', 'bulkWrite'],
      collection: 'wallets',
      errorCode: 112,
      errorLabels: transient,
    },
  },
  {
    fault: 'a unique index that refuses a row without a visible duplicate',
    times: 3,
    does: {
      failCommands: ['insert'],
      collection: 'mail_jobs',
      errorCode: 11_000,
      errorExtraInfo: { keyPattern: { externalId: 1 }, keyValue: { externalId: 'a' } },
    },
  },
  {
    fault: 'a connection lost at a write',
    times: 1,
    does: { failCommands: ['insert'], collection: 'mail_jobs', closeConnection: true },
  },
  {
    fault: 'a connection lost at the commit',
    times: 1,
    does: { failCommands: ['commitTransaction'], closeConnection: true },
  },
  {
    fault: 'a commit that is refused as transient',
    times: 1,
    does: { failCommands: ['commitTransaction'], errorCode: 251, errorLabels: transient },
  },
  {
    fault: 'a commit that is stored, but not yet replicated',
    times: 1,
    does: {
      failCommands: ['commitTransaction'],
      writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' },
      errorLabels: unknown,
    },
  },
  {
    fault: 'a commit that is answered late',
    times: 1,
    does: { failCommands: ['commitTransaction'], blockConnection: true, blockTimeMS: 3_000 },
  },
];

describe('a database that fails during a send', () => {
  const world = startWorld({ hasOwnMongo: true });
  afterEach(async () => {
    await world.ownMongo?.stopFailing();
  });

  test.each(faults)('$fault: each answer matches what is stored', async ({ times, does }) => {
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
    const does = { failCommands: ['insert'], collection: 'mail_jobs', errorCode: 112, errorLabels: transient };
    await world.fail(does, 100_000);

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
