// Level: push
import { randomUUID } from 'node:crypto';
import { plusMs } from '#common/clock.ts';
import { mailNotices } from '#common/notices/mail-notices.ts';
import { createNotice, Notice } from '#common/notices/notice.model.ts';
import { createUser } from '#common/organizations/create-user.ts';
import { setLanguage } from '#common/organizations/users.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import type { Mail, Mailer } from '#common/platform/process/mailer.ts';
import { setLowBalance } from '#common/wallet/low-balance.ts';
import { adjustWallet, topUpWallet } from '#common/wallet/wallets.ts';
import { watchLowBalances } from '#common/wallet/watch-low-balances.ts';
import { describe, expect, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';

const authUrl = 'https://post.example.com';
const start = new Date('2026-05-04T08:00:00Z');
const minute = (count: number) => plusMs(start, count * 60_000);

describe('notices', () => {
  const world = startWorld();
  /** A mailer that records accepted mails, and can refuse some. */
  const taken: Mail[] = [];
  let refuses = (_mail: Mail) => false;
  const mailer: Mailer = {
    async send(mail) {
      if (refuses(mail)) throw new Error('451 try again later');
      taken.push(mail);
    },
  };
  const mailAll = (at: Date) =>
    mailNotices({ mailer, authUrl, clock: { now: () => at }, log: world.log }, new AbortController().signal);

  async function twoUsers(): Promise<{ organizationId: string; emails: string[] }> {
    const { organizationId } = await world.customer({ mode: 'live', balanceCents: 10_000 });
    const emails = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    for (const email of emails) {
      const user = await createUser(
        { organizationId, email, password: 'correct horse battery', isAdmin: false, address: '192.0.2.1' },
        start,
      );
      if (email === emails[1]) await setLanguage(user._id, 'nl');
    }
    return { organizationId, emails };
  }

  test('each fall below the threshold is noticed once, even by concurrent checks', async () => {
    const { organizationId } = await twoUsers();
    const owner = { organizationId, mode: 'live' as const };
    const count = () => Notice.countDocuments({ organizationId, kind: 'LOW_BALANCE' });
    const take = (reference: string) =>
      adjustWallet(owner, { amountCents: -9_000, reason: 'A test', reference }, minute(0));
    await setLowBalance(owner, 5_000);
    await watchLowBalances(minute(1));
    expect(await count()).toBe(0);
    await take('first');
    await Promise.all([minute(2), minute(3), minute(4)].map(watchLowBalances));
    await watchLowBalances(minute(5));
    expect(await count()).toBe(1);
    await topUpWallet(owner, 9_000, randomUUID(), minute(6));
    await watchLowBalances(minute(7));
    await take('second');
    await watchLowBalances(minute(8));
    expect(await count()).toBe(2);
  });

  test('concurrent workers mail a notice once to each user, in the user’s language', async () => {
    const { organizationId, emails } = await twoUsers();
    const about = { organizationId, mode: 'live' as const, kind: 'WEBHOOK_DISABLED' as const, subjectId: 'wh_1' };
    const notice = { ...about, key: randomUUID(), data: { url: 'https://a.example/hook', reason: 'GONE' } };
    await inTransaction((transaction) => createNotice(transaction, notice, start));
    await Promise.all([mailAll(minute(10)), mailAll(minute(10)), mailAll(minute(10))]);
    await mailAll(minute(600));
    const own = taken.filter(({ to }) => emails.includes(to));
    expect(own.map(({ to }) => to).sort()).toEqual(emails.toSorted());
    const [english, dutch] = emails.map((email) => own.find(({ to }) => to === email));
    expect(english?.subject).toBe('A webhook of yours is disabled');
    expect(english?.text).toContain(`${authUrl}/en/account/webhooks/wh_1`);
    expect(english?.text).toContain('https://a.example/hook');
    expect(dutch?.subject).toBe('Een van uw webhooks is uitgeschakeld');
    expect(await Notice.findOne({ key: notice.key }).lean()).toMatchObject({
      mailAt: null,
      mailedAt: expect.any(Date),
    });
  });

  test('only the refused user’s mail is retried, and a limited number of times', async () => {
    const { organizationId, emails } = await twoUsers();
    const about = { organizationId, mode: 'live' as const, kind: 'LOW_BALANCE' as const, subjectId: 'a wallet' };
    const notice = { ...about, key: randomUUID(), data: { balanceCents: 1_234, lowBalanceCents: 5_000 } };
    await inTransaction((transaction) => createNotice(transaction, notice, start));
    let refusedCount = 0;
    refuses = ({ to }) => {
      if (to !== emails[1]) return false;
      refusedCount += 1;
      return true;
    };
    for (let hour = 1; hour < 400; hour += 30) await mailAll(minute(hour * 60));
    refuses = () => false;
    await mailAll(minute(60 * 24 * 60));
    expect(refusedCount).toBe(6);
    const own = taken.filter(({ to }) => emails.includes(to));
    expect(own.map(({ to }) => to)).toEqual([emails[0]]);
    expect(own[0]?.text).toContain('€12.34');
    expect(own[0]?.text).toContain('€50.00');
    expect(await Notice.findOne({ key: notice.key }).lean()).toMatchObject({ mailAt: null, mailedAt: null });
  });
});
