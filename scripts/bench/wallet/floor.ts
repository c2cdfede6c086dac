import { randomUUID } from 'node:crypto';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';

/** The naive send: one transaction per send with the bare driver, answered with 201, on documents of the product's size and indexes. */
export type Floor = { send(wallet: number): Promise<number> };

type Row = { _id: string } & Record<string, unknown>;

const amountCents = 221;

/** Prepares a separate database whose documents and indexes copy those that one letter left in the product's. */
export async function openFloor(walletCount: number): Promise<Floor> {
  const client = MailJob.db.getClient();
  const db = client.db(`${MailJob.db.name}-floor`);
  const rows = {
    wallets: db.collection<{ _id: string; balanceCents: number; seq: number }>('wallets'),
    jobs: db.collection<Row>('mail_jobs'),
    entries: db.collection<Row>('ledger_entries'),
    events: db.collection<Row>('events'),
  };
  const product = (copy: { collectionName: string }) => MailJob.db.collection(copy.collectionName);
  for (const copy of Object.values(rows)) {
    const indexes = await product(copy).indexes();
    for (const { key, v: _version, ...options } of indexes) if (!('_id' in key)) await copy.createIndex(key, options);
  }
  const wallets = Array.from({ length: walletCount }, (_, n) => ({
    _id: `wallet-${n}`,
    organizationId: `${n}`,
    mode: 'live',
    balanceCents: 1e9,
    seq: 0,
  }));
  await rows.wallets.insertMany(wallets);
  const sample = async (copy: { collectionName: string }) => {
    const row = await product(copy).findOne({}, { sort: { _id: -1 } });
    if (!row) throw new Error('Send a letter first.');
    return row;
  };
  const [job, entry, event] = [await sample(rows.jobs), await sample(rows.entries), await sample(rows.events)];

  async function send(wallet: number): Promise<number> {
    const session = client.startSession();
    const options = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;
    const id = randomUUID();
    try {
      await session.withTransaction(async () => {
        const after = await rows.wallets.findOneAndUpdate(
          { _id: `wallet-${wallet}`, balanceCents: { $gte: amountCents } },
          { $inc: { balanceCents: -amountCents, seq: 1 } },
          { session, returnDocument: 'after' },
        );
        if (!after) throw new Error('A wallet of the floor is empty.');
        const { seq, balanceCents: balanceAfterCents } = after;
        await rows.jobs.insertOne({ ...job, _id: `mj_${id}` }, { session });
        await rows.entries.insertOne(
          { ...entry, _id: `txn_${id}`, walletId: after._id, seq, balanceAfterCents, key: `debit:${id}` },
          { session },
        );
        await rows.events.insertOne({ ...event, _id: `evt_${id}`, subjectId: `mj_${id}` }, { session });
      }, options);
      return 201;
    } finally {
      await session.endSession();
    }
  }
  return { send };
}
