// Level: push
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { plusMs } from '#common/clock.ts';
import { findPasswordProblem, type PasswordProblem } from '#common/organizations/password-rules.ts';
import { User } from '#common/organizations/user.model.ts';
import { sha256Hex } from '#common/secrets.ts';
import { PasswordReset } from '#common/sessions/password-reset.model.ts';
import { createPasswordReset } from '#common/sessions/reset-password.ts';
import { describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { politeMailAnswer, startMailServer } from '#test/support/mail-server.ts';
import { startWorld } from '#test/support/product/world.ts';
import { createVisitor, openWebHost } from '#test/support/web/web-host.ts';

const hourMs = 3_600_000;

const password = 'another long password';
const twice = { password, repeated: password };
const owner = { email: 'ada.peeters@post.example', organizationName: 'Drukkerij Janssens' };

describe('passwords', () => {
  let failedWorks = 0;
  const onLogLine = (line: string) => {
    if (line.includes('background task failed')) failedWorks += 1;
  };
  const world = startWorld({ hasTariffs: false, onLogLine });
  const clock = { offsetMs: 0, now: () => plusMs(new Date(), clock.offsetMs) };
  const host = openOnce(() => openWebHost(world, { clock }));

  async function askForLink(email: string, language = 'en') {
    const answer = await host.visitor().send(`/${language}/forgotten-password`, '/forgotten-password', { email });
    return { status: answer.status, page: answer.text.replaceAll(/value="[^"]*"/g, '') };
  }

  async function linkFor(email: string): Promise<string> {
    await askForLink(email);
    const mails = await eventually(async () => {
      const found = await host.mailsTo(email);
      expect(found.length).toBeGreaterThan(0);
      return found;
    });
    const [, path = ''] = /http:\/\/localhost:\d+(\/en\/reset-password\?token=[\w-]+)/.exec(mails.at(-1) ?? '') ?? [];
    return path;
  }

  test('the link in the mail sets a new password and invalidates the old one', async () => {
    const signedIn = await host.signedIn();
    const { email, password: former } = signedIn.user;
    const link = await linkFor(email);
    expect((await host.visitor().get(link)).status).toBe(200);
    const answer = await host.visitor().send(link, '/reset-password', twice);
    expect([answer.status, answer.location]).toEqual([303, '/en/sign-in?notice=passwordReset']);

    expect((await signedIn.get('/account')).status).toBe(303);
    expect((await host.visitor().signIn({ email, password: former })).status).toBe(400);
    expect((await host.visitor().signIn({ email, password })).status).toBe(303);
    await eventually(async () => expect((await host.mailsTo(email)).at(-1)).toContain('password was changed'));
  });

  test('used, expired and outdated reset links are refused', async () => {
    const { email } = await host.makeUser();
    const used = await linkFor(email);
    const visitor = host.visitor();
    const form = await visitor.get(used);
    expect(form.text).toContain('type="password"');
    await visitor.send(used, '/reset-password', twice);
    const second = await visitor.get(used);
    expect(second.text).toContain('<h1>This link is no longer valid</h1>');

    const late = await linkFor((await host.makeUser()).email);
    clock.offsetMs = hourMs + 1_000;
    expect((await visitor.get(late)).text).toContain('<h1>This link is no longer valid</h1>');
    clock.offsetMs = 0;

    const other = await host.signedIn();
    const outdated = await linkFor(other.user.email);
    const change = { currentPassword: other.user.password, ...twice };
    await other.send('/account/profile', '/account/profile/password', change);
    expect((await visitor.get(outdated)).text).toContain('<h1>This link is no longer valid</h1>');
  });

  test('the link stays valid after a refused password', async () => {
    const { email } = await host.makeUser();
    const link = await linkFor(email);
    const send = (fields: Record<string, string>) => host.visitor().send(link, '/reset-password', fields);
    expect((await send({ password: 'short', repeated: 'short' })).text).toContain('Use at least 12 characters.');
    expect((await send({ password, repeated: `${password}.` })).text).toContain('The two passwords do not match.');
    expect((await send(twice)).status).toBe(303);
  });

  test('an unknown address gets the same response and no mail', async () => {
    const { email } = await host.makeUser();
    const before = (await readdir(host.outboxDir)).length;
    const unknown = await askForLink('nobody@example.com');
    expect(await askForLink(email)).toEqual(unknown);
    expect(unknown.status).toBe(200);
    await eventually(async () => expect(await readdir(host.outboxDir)).toHaveLength(before + 1));
  });

  test('at most three reset links are valid, further requests send no mail', async () => {
    const other = await openWebHost(world, { clock, areLimitsStill: true });
    const { email, userId } = await other.makeUser();
    for (let index = 0; index < 4; index += 1) {
      expect((await other.visitor().send('/forgotten-password', '/forgotten-password', { email })).status).toBe(200);
    }
    const visitor = other.visitor();
    const ask = { email: 'nobody@example.com' };
    for (let index = 4; index < 10; index += 1) await visitor.send('/forgotten-password', '/forgotten-password', ask);
    expect((await visitor.send('/forgotten-password', '/forgotten-password', { email })).status).toBe(429);
    // Also ends the work after the responses.
    await other.close();
    expect(await PasswordReset.countDocuments({ userId })).toBe(3);
  });

  test('of eight reset links requested at once three are created, and three more after an hour', async () => {
    const { email } = await host.makeUser();
    const createAt = async (at: Date) => {
      const links = await Promise.all(Array.from({ length: 8 }, () => createPasswordReset(email, at)));
      return links.filter((link) => link !== null).length;
    };
    const now = new Date();
    expect(await createAt(now)).toBe(3);
    expect(await createAt(plusMs(now, hourMs - 1))).toBe(0);
    expect(await createAt(plusMs(now, hourMs))).toBe(3);
  });

  test('a link stays valid and counts if the mail server may have accepted its mail', async () => {
    const mailServer = await startMailServer((line, socket) => {
      if (line !== '.') return politeMailAnswer(line);
      socket.destroy();
      return '';
    });
    const other = await openWebHost(world, { clock, smtpUrl: `smtp://127.0.0.1:${mailServer.port}` });
    const { email, userId } = await other.makeUser();
    const mails = () => mailServer.received.filter((text) => text.includes(`To: ${email}`));
    failedWorks = 0;
    await other.visitor().send('/forgotten-password', '/forgotten-password', { email });
    await eventually(() => expect(failedWorks).toBe(1));
    expect(mails()).toHaveLength(1);
    expect(await PasswordReset.countDocuments({ userId })).toBe(1);
    await other.close();
    await mailServer.close();
  });

  test('mails in the outbox are private and the database stores only a hash of the token', async () => {
    const { email, userId } = await host.makeUser();
    await User.updateOne({ _id: userId }, { language: 'fr' });
    await askForLink(email, 'nl');
    const [mail = ''] = await eventually(async () => {
      const found = await host.mailsTo(email);
      expect(found).toHaveLength(1);
      return found;
    });
    expect(mail).toContain('/fr/reset-password?token=');
    const [, token = ''] = /token=([\w-]+)/.exec(mail) ?? [];
    expect(await PasswordReset.exists({ _id: sha256Hex(token) })).not.toBeNull();
    for (const file of await readdir(host.outboxDir)) {
      expect((await stat(join(host.outboxDir, file))).mode & 0o777).toBe(0o600);
    }
  });

  test('a password change ends all other sessions and renews the current one', async () => {
    const visitor = await host.signedIn();
    const { user } = visitor;
    const elsewhere = host.visitor();
    await elsewhere.signIn(user);
    const copy = createVisitor(host.url, new Map(visitor.cookies));
    const change = (currentPassword: string) =>
      visitor.send('/fr/account/profile', '/account/profile/password', { currentPassword, ...twice });

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

describe('which passwords are refused', () => {
  test.each<[string, PasswordProblem]>([
    ['short', 'passwordTooShort'],
    ['x'.repeat(201), 'passwordTooLong'],
    ['123456789012', 'passwordCommon'],
    ['210987654321', 'passwordCommon'],
    ['password1234', 'passwordCommon'],
    ['PassWord-2026!', 'passwordCommon'],
    ['ｐａｓｓｗｏｒｄ１２３４', 'passwordCommon'],
    ['!!!qwertyuiop!!!', 'passwordCommon'],
    ['dragon dragon', 'passwordCommon'],
    ['abcabcabcabc', 'passwordCommon'],
    ['aaaaaaaaaaaaaaaa', 'passwordCommon'],
    ['!!!!!!!!!!!!', 'passwordCommon'],
    ['abcdefghijklm', 'passwordCommon'],
    ['ada.peeters@post.example', 'passwordOwn'],
    ['Ada.Peeters2026', 'passwordOwn'],
    ['post.example', 'passwordOwn'],
    ['DrukkerijJanssens', 'passwordOwn'],
    ['drukkerij-janssens-1', 'passwordOwn'],
  ])('%s is refused as %s', (password, problem) => {
    expect(findPasswordProblem(password, owner)).toBe(problem);
  });

  test.each([
    'correct horse battery',
    'twelve chars',
    'at least 12 characters',
    'k7hw-2mzp-qx9c',
    '#$%&!?*^(}{]@',
    'a dragon ate my passport',
    'peeters and some quite other words',
    'Пароль который никто не знает',
  ])('%s is accepted', (password) => {
    expect(findPasswordProblem(password, owner)).toBeNull();
  });

  test('a short name or address does not forbid the words that contain it', () => {
    const short = { email: 'an@x.be', organizationName: 'NV' };
    expect(findPasswordProblem('Antwerpen aan de Schelde', short)).toBeNull();
  });
});
