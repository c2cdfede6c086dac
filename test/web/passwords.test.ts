import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { User } from '../../common/organizations/user.model.ts';
import { sha256Hex } from '../../common/secrets.ts';
import { PasswordReset } from '../../common/sessions/password-reset.model.ts';
import { eventually } from '../support/eventually.ts';
import { createVisitor } from '../support/visitor.ts';
import { openWebHost, type WebHost } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

const hourMs = 3_600_000;
/** For mails, which are sent after the answer. */
const patience = { withinMs: 10_000 };
const password = 'another long password';

describe('passwords', () => {
  const world = startWorld({ hasTariffs: false });
  const clock = { offsetMs: 0, now: () => plusMs(new Date(), clock.offsetMs) };
  let host: WebHost;
  beforeAll(async () => {
    host = await openWebHost(world, { clock });
  });
  afterAll(async () => host.close());

  /** The mails to one address, as people read them. */
  async function mailsTo(email: string): Promise<string[]> {
    const files = await readdir(host.outboxDir);
    const texts = await Promise.all(files.sort().map((file) => readFile(join(host.outboxDir, file), 'utf8')));
    return texts
      .filter((text) => text.includes(`To: ${email}`))
      .map((text) => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='));
  }

  async function askForLink(email: string, language = 'en') {
    const answer = await host.visitor().send(`/${language}/forgotten-password`, '/forgotten-password', { email });
    return { status: answer.status, page: answer.text.replaceAll(/value="[^"]*"/g, '') };
  }

  async function linkFor(email: string): Promise<string> {
    await askForLink(email);
    const mails = await eventually(async () => {
      const found = await mailsTo(email);
      expect(found.length).toBeGreaterThan(0);
      return found;
    }, patience);
    const [, path = ''] = /http:\/\/localhost:\d+(\/en\/reset-password\?token=[\w-]+)/.exec(mails.at(-1) ?? '') ?? [];
    return path;
  }

  test('given a forgotten password, when the link of the mail is followed, then another one is set and the old one is over', async () => {
    const signedIn = await host.signedIn();
    const { email, password: former } = signedIn.user;
    const link = await linkFor(email);
    expect((await host.visitor().get(link)).status).toBe(200);
    const answer = await host.visitor().send(link, '/reset-password', { password, repeated: password });
    expect([answer.status, answer.location]).toEqual([303, '/en/sign-in?notice=passwordReset']);

    expect((await signedIn.get('/account')).status).toBe(303);
    expect((await host.visitor().signIn({ email, password: former })).status).toBe(400);
    expect((await host.visitor().signIn({ email, password })).status).toBe(303);
    await eventually(async () => expect((await mailsTo(email)).at(-1)).toContain('password was changed'), patience);
  });

  test('given a link that was used, or is an hour old, or older than the password, when it is opened, then it is no longer good', async () => {
    const { email } = await host.makeUser();
    const used = await linkFor(email);
    const visitor = host.visitor();
    const [action, fields] = ['/reset-password', { password, repeated: password }] as const;
    const form = await visitor.get(used);
    expect(form.text).toContain('type="password"');
    await visitor.send(used, action, fields);
    const second = await visitor.get(used);
    expect(second.text).toContain('<h1>This link is no longer good</h1>');

    const late = await linkFor((await host.makeUser()).email);
    clock.offsetMs = hourMs + 1_000;
    expect((await visitor.get(late)).text).toContain('<h1>This link is no longer good</h1>');
    clock.offsetMs = 0;

    const other = await host.signedIn();
    const outdated = await linkFor(other.user.email);
    const change = { currentPassword: other.user.password, password, repeated: password };
    await other.send('/account/profile', '/account/profile/password', change);
    expect((await visitor.get(outdated)).text).toContain('<h1>This link is no longer good</h1>');
  });

  test('given a new password that is too short or was typed differently twice, when it is sent, then the link stays good', async () => {
    const { email } = await host.makeUser();
    const link = await linkFor(email);
    const send = (fields: Record<string, string>) => host.visitor().send(link, '/reset-password', fields);
    expect((await send({ password: 'short', repeated: 'short' })).text).toContain('Use at least 12 characters.');
    expect((await send({ password, repeated: `${password}.` })).text).toContain('The two passwords are not the same.');
    expect((await send({ password, repeated: password })).status).toBe(303);
  });

  test('given an unknown address, when a link is asked for, then the same answer, and no mail', async () => {
    const { email } = await host.makeUser();
    const before = (await readdir(host.outboxDir)).length;
    const unknown = await askForLink('nobody@example.com');
    expect(await askForLink(email)).toEqual(unknown);
    expect(unknown.status).toBe(200);
    await eventually(async () => expect(await readdir(host.outboxDir)).toHaveLength(before + 1), patience);
  });

  test('given a stranger who keeps asking, when three links are good, then no fourth mail is sent, and the answer is the same', async () => {
    const other = await openWebHost(world, { clock });
    const { email, userId } = await other.makeUser();
    for (let index = 0; index < 4; index += 1) {
      expect((await other.visitor().send('/forgotten-password', '/forgotten-password', { email })).status).toBe(200);
    }
    expect(await PasswordReset.countDocuments({ userId })).toBe(3);
    const visitor = other.visitor();
    const ask = { email: 'nobody@example.com' };
    for (let index = 4; index < 10; index += 1) await visitor.send('/forgotten-password', '/forgotten-password', ask);
    expect((await visitor.send('/forgotten-password', '/forgotten-password', { email })).status).toBe(429);
    await other.close();
  });

  test('given a mail, when it is kept in the outbox, then only its owner can read it, and the database has only a hash of its token', async () => {
    const { email, userId } = await host.makeUser();
    await User.updateOne({ _id: userId }, { language: 'fr' });
    await askForLink(email, 'nl');
    const [mail = ''] = await eventually(async () => {
      const found = await mailsTo(email);
      expect(found).toHaveLength(1);
      return found;
    }, patience);
    expect(mail).toContain('/fr/reset-password?token=');
    const [, token = ''] = /token=([\w-]+)/.exec(mail) ?? [];
    expect(await PasswordReset.exists({ _id: sha256Hex(token) })).not.toBeNull();
    for (const file of await readdir(host.outboxDir)) {
      expect((await stat(join(host.outboxDir, file))).mode & 0o777).toBe(0o600);
    }
  });

  test('given two sessions, when one changes the password, then the other and a copy of its cookie are dead, and it goes on under a new id', async () => {
    const visitor = await host.signedIn();
    const { user } = visitor;
    const elsewhere = host.visitor();
    await elsewhere.signIn(user);
    const copy = createVisitor(host.url, new Map(visitor.cookies));
    const change = (currentPassword: string) =>
      visitor.send('/fr/account/profile', '/account/profile/password', {
        currentPassword,
        password,
        repeated: password,
      });

    const wrong = await change('not the password');
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('mot de passe actuel');
    expect(wrong.text.match(/aria-invalid="true"/g)).toHaveLength(1);
    expect((await copy.get('/account')).status).toBe(200);

    const changed = await change(user.password);
    expect([changed.status, changed.location]).toEqual([303, '/fr/account/profile?notice=passwordChanged']);
    expect((await visitor.get('/account')).status).toBe(200);
    for (const dead of [elsewhere, copy]) expect((await dead.get('/account')).status).toBe(303);
  });
});
