// Level: push
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import mongoose from 'mongoose';
import { AuditEntry } from '#common/audit/audit.model.ts';
import { describe, eventually, expect, standingClock, test } from '#test/support/jest.ts';
import { createVisitor, startWebHost, type WebUser } from '#test/support/web/web-host.ts';

const dayMs = 24 * 3_600_000;
const newPassword = 'another long password';

describe('failed sign-ins to an account', () => {
  const clock = standingClock();
  let failedWorks = 0;
  const onLogLine = (line: string) => {
    if (line.includes('background task failed')) failedWorks += 1;
  };
  const { host } = startWebHost({ clock, hasTariffs: false, onLogLine });

  /** Sets the number of wrong passwords from unknown browsers today. */
  async function haveFailed(email: string, attempts: number): Promise<void> {
    await host.visitor().signIn({ email, password: 'wrong' });
    const rows = mongoose.connection.collection('failed_sign_ins');
    const newest = await rows
      .find({ _id: /:any:/ as never })
      .sort({ $natural: -1 })
      .limit(1)
      .toArray();
    const own = newest[0] ?? { _id: 'none' as never };
    await rows.updateOne({ _id: own._id }, { $set: { attempts } });
  }

  /** Runs `work` while mails cannot be delivered, and waits for this many failures. */
  async function withoutMailServer(mails: number, work: () => Promise<void>): Promise<void> {
    const { outboxDir } = host;
    failedWorks = 0;
    await rename(outboxDir, `${outboxDir}-away`);
    await writeFile(outboxDir, 'not a folder');
    await work();
    await eventually(async () => expect(failedWorks).toBe(mails));
    await rm(outboxDir);
    await rename(`${outboxDir}-away`, outboxDir);
  }

  const statusOf = async (user: Pick<WebUser, 'email' | 'password'>, visitor = host.visitor()) =>
    (await visitor.signIn(user)).status;

  test('after 100 wrong passwords in a day, unknown browsers are refused until the next day', async () => {
    const user = await host.makeUser();
    for (const account of [user, { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }]) {
      await haveFailed(account.email, 99);
      expect(await statusOf({ ...account, password: 'wrong again' })).toBe(400);
      const refused = await host.visitor().signIn(account);
      expect(refused.status).toBe(429);
      const leftS = Math.ceil((dayMs - (clock.now().getTime() % dayMs)) / 1_000);
      expect(Number(refused.headers.get('retry-after'))).toBe(leftS);
    }
    clock.advance(dayMs);
    expect(await statusOf(user)).toBe(303);
    clock.advance(-dayMs);
  });

  test('known browsers can still sign in', async () => {
    const user = await host.makeUser();
    const own = host.visitor();
    expect(await statusOf(user, own)).toBe(303);
    await haveFailed(user.email, 100);
    expect(await statusOf(user)).toBe(429);
    const devices = [...own.cookies].filter(([name]) => name === 'bluejay-devices');
    expect(await statusOf(user, createVisitor(host.url, new Map(devices)))).toBe(303);
  });

  test('a password reset lets the owner in and makes the browser known', async () => {
    const { email } = await host.makeUser();
    await haveFailed(email, 100);
    await host.visitor().send('/forgotten-password', '/forgotten-password', { email });
    const link = await eventually(async () => {
      const texts = (await host.mailsTo(email)).join();
      const [path] = /\/en\/reset-password\?token=[\w-]+/.exec(texts) ?? [];
      expect(path).toBeDefined();
      return path ?? '';
    });
    const owner = host.visitor();
    const fields = { password: newPassword, repeated: newPassword };
    expect((await owner.send(link, '/reset-password', fields)).status).toBe(303);
    await haveFailed(email, 100);
    expect(await statusOf({ email, password: newPassword })).toBe(429);
    expect(await statusOf({ email, password: newPassword }, owner)).toBe(303);
  });

  test('the owner is notified once a day, with at most three audit entries', async () => {
    const { email, userId } = await host.makeUser();
    const told = async () => (await host.mailsTo(email)).filter((text) => text.includes('wrong password'));
    const failures = async () => {
      const entries = await AuditEntry.find({ subjectId: userId }).sort({ _id: 1 }).lean();
      return entries.map(({ action, actor, detail }) => [action, actor, detail.attempts]);
    };
    const entryOf = (attempts: number) => ['user.sign-in-failed', { kind: 'anonymous', id: 'visitor' }, attempts];
    await haveFailed(email, 18);
    await eventually(async () => expect(await failures()).toEqual([entryOf(1)]));
    expect(await statusOf({ email, password: 'wrong 19' })).toBe(400);
    await eventually(async () => expect(await failures()).toEqual([entryOf(1), entryOf(10)]));
    expect(await told()).toEqual([]);
    for (const password of ['wrong 20', 'wrong 21']) expect(await statusOf({ email, password })).toBe(400);
    await eventually(async () => expect(await told()).toHaveLength(1));
    await haveFailed(email, 99);
    expect(await statusOf({ email, password: 'wrong 100' })).toBe(400);
    await eventually(async () => expect(await failures()).toEqual([1, 10, 100].map(entryOf)));
    expect(await told()).toHaveLength(1);
    clock.advance(dayMs);
    await haveFailed(email, 20);
    expect(await statusOf({ email, password: 'wrong 21' })).toBe(400);
    await eventually(async () => expect(await told()).toHaveLength(2));
    clock.advance(-dayMs);
  });

  test('errors during a password reset do not reveal whether an account exists', async () => {
    const { email } = await host.makeUser();
    const { db } = mongoose.connection;
    await db?.command({ collMod: 'password_resets', validator: { _id: { $type: 'int' } } });
    const answers = [];
    for (const asked of [email, 'nobody@example.com']) {
      const answer = await host.visitor().send('/forgotten-password', '/forgotten-password', { email: asked });
      answers.push([answer.status, answer.text.replaceAll(/value="[^"]*"/g, '')]);
    }
    await db?.command({ collMod: 'password_resets', validator: {} });
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(200);
  });

  test('a reset link whose mail was refused does not count towards the hourly limit', async () => {
    const { email } = await host.makeUser();
    const ask = () => host.visitor().send('/forgotten-password', '/forgotten-password', { email });
    await withoutMailServer(3, async () => {
      for (let index = 0; index < 3; index += 1) await ask();
    });
    await ask();
    await eventually(async () => expect(await host.mailsTo(email)).toHaveLength(1));
  });

  test('a failed notification of the owner is repeated at the next wrong password', async () => {
    const { email } = await host.makeUser();
    await haveFailed(email, 19);
    const fail = () => statusOf({ email, password: 'wrong' });
    await withoutMailServer(1, async () => {
      expect(await fail()).toBe(400);
    });
    for (let index = 0; index < 2; index += 1) expect(await fail()).toBe(400);
    await eventually(async () => expect(await host.mailsTo(email)).toHaveLength(1));
  });

  test.each([
    ['password1234', 'Attackers try this password first'],
    ['EMAIL', 'too similar to your email address'],
  ])('a new password like %s is refused with a reason', async (typed, reason) => {
    const visitor = await host.signedIn();
    const { email, password: currentPassword } = visitor.user;
    const password = typed === 'EMAIL' ? email : typed;
    const fields = { currentPassword, password, repeated: password };
    const answer = await visitor.send('/en/account/profile', '/account/profile/password', fields);
    expect([answer.status, answer.text.includes(reason)]).toEqual([400, true]);
    expect(await statusOf({ email, password: currentPassword })).toBe(303);
  });
});
