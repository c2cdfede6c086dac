// Level: push
import { newId } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { LedgerEntry, type LedgerEntryRecord } from '#common/wallet/ledger/ledger-entry.model.ts';
import { walletIdOf } from '#common/wallet/ledger/move-money.ts';
import { Wallet } from '#common/wallet/ledger/wallet.model.ts';
import { topUpWallet } from '#common/wallet/wallets.ts';
import { byLevel, describe, expect, test } from '../support/jest.ts';
import { aRequestAddress, aSender, ledgerOf, type Sender } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { expectInvariants, findViolations } from '../support/wallet/invariants.ts';
import { post } from '../support/wallet/movements.ts';

/**
 * A wallet with five entries: an opening top-up, the debit of a letter to two recipients, the debit of a failed letter
 * and its two refunds.
 */
type Scene = { sender: Sender; walletId: string; entries: LedgerEntryRecord[]; sent: string; failed: string };
/** Tampers with the database directly. Returns the ids and rules that must be reported. */
type Tampering = (scene: Scene) => Promise<[id: string, ...rules: (string | RegExp)[]][]>;

const rows = LedgerEntry.collection;
const at = (entries: LedgerEntryRecord[], seq: number) => entries[seq - 1]!;
const balanceRules = ['the balance is the sum of the entries', 'the balance is the balance after the last entry'];

const gapRules = ['entries are numbered without gaps', 'an entry continues from the previous balance'];
const refundRules = ['refundedCents is the sum of the refunds', 'a failed mail job is fully refunded'];

const tamperings: Record<string, Tampering> = {
  'a balance is edited': async ({ walletId }) => {
    await Wallet.collection.updateOne({ _id: walletId as never }, { $inc: { balanceCents: 1 } });
    return [[walletId, ...balanceRules]];
  },
  'the debit of a letter is removed': async ({ walletId, entries, sent }) => {
    await rows.deleteOne({ _id: at(entries, 2)._id as never });
    return [
      [walletId, ...gapRules, 'the balance is the sum of the entries'],
      [sent, 'a mail job has one debit'],
    ];
  },
  'the last entry is removed': async ({ walletId, failed }) => {
    await rows.deleteOne({ walletId, seq: 5 });
    const rules = ['the wallet and its last entry have the same number', ...balanceRules];
    return [
      [walletId, ...rules],
      [failed, /^item mi_\w+ has one refund$/, ...refundRules],
    ];
  },
  'an amount is edited': async ({ walletId, entries, sent }) => {
    await rows.updateOne({ _id: at(entries, 2)._id as never }, { $inc: { amountCents: 5 } });
    return [
      [walletId, 'an entry continues from the previous balance', 'the balance is the sum of the entries'],
      [sent, 'the debit is the amount of the job'],
    ];
  },
  'a refund is doubled, with its wallet': async ({ sender, failed, entries }) => {
    const { amountCents, mailJobId, itemId } = at(entries, 5);
    const again = { kind: 'refund', amountCents, mailJobId: mailJobId!, itemId: itemId!, key: `refund:${newId('mi')}` };
    await post(sender, [{ ...again, kind: 'refund' }], new Date());
    const rules = ['refunds do not exceed the debit', ...refundRules];
    return [[failed, `item ${itemId} has one refund`, `the refund of item ${itemId} is its share`, ...rules]];
  },
  'an entry is added without a change of the wallet': async ({ walletId, entries }) => {
    const entry = { ...at(entries, 1), _id: newId('txn'), key: newId('txn'), seq: 6 };
    await rows.insertOne(entry as never);
    return [[walletId, 'the wallet and its last entry have the same number']];
  },
  'an unpaid letter is added': async ({ sent }) => {
    const { externalId: _, ...job } = await MailJob.findById(sent).orFail().lean<MailJobRecord>();
    const _id = newId('mj');
    await MailJob.insertMany([{ ...job, _id }]);
    return [[_id, 'a mail job has one debit']];
  },
  'a paid letter is removed': async ({ sent }) => {
    await MailJob.deleteOne({ _id: sent });
    return [[sent, 'the mail job of a debit or refund exists']];
  },
  'a letter is paid from another wallet': async ({ entries, sent, walletId }) => {
    await rows.updateOne({ _id: at(entries, 2)._id as never }, { $set: { walletId: `${walletId}-x`, seq: 1 } });
    return [
      [walletId, ...gapRules, 'the balance is the sum of the entries'],
      [`${walletId}-x`, 'a ledger has a wallet'],
      [sent, 'all entries are in the wallet of the owner'],
    ];
  },
  'a debit loses its letter': async ({ walletId, entries, sent }) => {
    await rows.updateOne({ _id: at(entries, 2)._id as never }, { $set: { mailJobId: null } });
    return [
      [walletId, 'a debit or refund names its mail job'],
      [sent, 'a mail job has one debit'],
    ];
  },
  'a letter claims more refunds than it had': async ({ sent }) => {
    await MailJob.updateOne({ _id: sent }, { $set: { refundedCents: 1 } });
    return [[sent, 'refundedCents is the sum of the refunds']];
  },
  'the share of an item is edited': async ({ sent }) => {
    await MailJob.updateOne({ _id: sent }, { $inc: { 'items.1.shareCents': 1 } });
    return [[sent, 'the item shares add up to the amount']];
  },
  'an item that has not failed is refunded, with its wallet': async ({ sender, sent }) => {
    const { items } = await MailJob.findById(sent).orFail().lean<MailJobRecord>();
    const { itemId, shareCents } = items[0]!;
    const refund = { amountCents: shareCents, mailJobId: sent, itemId, key: `refund:${itemId}` };
    await post(sender, [{ ...refund, kind: 'refund' }], new Date());
    return [[sent, `item ${itemId} has no refund`, 'refundedCents is the sum of the refunds']];
  },
  'a refund is for no item of its letter': async ({ entries, failed }) => {
    const { _id, itemId } = at(entries, 5);
    await rows.updateOne({ _id: _id as never }, { $set: { itemId: newId('mi') } });
    return [[failed, `item ${itemId} has one refund`, 'every refund is for an item of the job']];
  },
  'an item is marked as failed': async ({ sent }) => {
    const { items } = await MailJob.findById(sent).orFail().lean<MailJobRecord>();
    await MailJob.updateOne({ _id: sent }, { $set: { 'items.1.status': 'failed' } });
    return [[sent, `item ${items[1]?.itemId} has one refund`]];
  },
  'a wallet is removed': async ({ walletId }) => {
    await Wallet.deleteOne({ _id: walletId });
    return [[walletId, 'a ledger has a wallet']];
  },
};

describe('the reconciler', () => {
  const world = startWorld();

  async function aScene(): Promise<Scene> {
    const sender = await aSender(world);
    const recipient = aRequestAddress();
    const sent = (await sender.send({ recipients: [recipient, recipient] })).body.mailJobId;
    const failed = (await sender.send({ recipients: [recipient, recipient] })).body.mailJobId;
    await sender.http.post(`/v1/mails/${failed}/simulate`, { to: 'failed' });
    const entries = await ledgerOf(sender);
    expect(entries.map(({ kind }) => kind)).toEqual(['top_up', 'debit', 'debit', 'refund', 'refund']);
    return { sender, walletId: walletIdOf(sender), entries, sent, failed };
  }

  test('reconciling during letters, failures, top-ups and replies reports no violation', async () => {
    const senders = [await aSender(world), await aSender(world), await aSender(world)];
    let isOver = false;
    const busy = senders.map(async (sender, index) => {
      for (let n = 0; !isOver; n += 1) {
        const { body } = await sender.send({ recipients: [aRequestAddress(), aRequestAddress()] });
        if (n % 2 === 0) await sender.http.post(`/v1/mails/${body.mailJobId}/simulate`, { to: 'failed' });
        if (n % 3 === 0) await topUpWallet(sender, 10, `busy ${index} ${n}`, new Date());
      }
      return sender;
    });
    const least = byLevel({
      quick: { looks: 12, entries: 60 },
      full: { looks: 40, entries: 300 },
      long: { looks: 100, entries: 1_000 },
    });
    let entries = 0;
    try {
      for (let looks = 0; looks < least.looks || entries < least.entries; looks += 1) {
        expect(await findViolations()).toEqual([]);
        entries = await LedgerEntry.countDocuments();
      }
    } finally {
      isOver = true;
      await Promise.all(busy);
    }
    await expectInvariants();
  });

  test.each(Object.keys(tamperings))('when %s, it is reported and nothing is repaired', async (name) => {
    const before = await findViolations();
    const scene = await aScene();
    expect(await findViolations()).toEqual(before);
    const expected = (await tamperings[name]?.(scene)) ?? [];
    const found = (await findViolations()).filter((each) => !before.some(({ id }) => id === each.id));
    const byId = Map.groupBy(found, ({ id }) => id);
    expect([...byId.keys()].sort()).toEqual(expected.map(([id]) => id).sort());
    for (const [id, ...rules] of expected) expect(byId.get(id)?.map(({ rule }) => rule)).toEqual(rules.map(wordsOf));
    expect(found.every(({ expected: should, found: is }) => should !== is)).toBe(true);
    expect(await findViolations()).toHaveLength(before.length + found.length);
  });
});

const wordsOf = (rule: string | RegExp) => (typeof rule === 'string' ? rule : expect.stringMatching(rule));
