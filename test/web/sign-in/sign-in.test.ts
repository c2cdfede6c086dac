// Level: push
import { plusMs } from '#common/clock.ts';
import { sha256Hex } from '#common/secrets.ts';
import { Session } from '#common/sessions/session.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { createVisitor, openWebHost } from '#test/support/web/web-host.ts';

const hourMs = 3_600_000;
const sessionCookie = 'bluejay-session';

describe('the sign-in', () => {
  const world = startWorld({ hasTariffs: false });
  const clock = { offsetMs: 0, now: () => plusMs(new Date(), clock.offsetMs) };
  const host = openOnce(() => openWebHost(world, { clock }));

  test('a visitor who opens an account page returns to it after the sign-in', async () => {
    const user = await host.makeUser();
    const visitor = host.visitor();
    const sent = await visitor.get('/fr/account/api-keys?cursor=x');
    expect([sent.status, sent.location]).toEqual([303, '/fr/sign-in?next=%2Ffr%2Faccount%2Fapi-keys%3Fcursor%3Dx']);
    const answer = await visitor.signIn(user, sent.location ?? '');
    expect([answer.status, answer.location]).toEqual([303, '/fr/account/api-keys?cursor=x']);
    expect((await visitor.get('/fr/account/api-keys')).status).toBe(200);
  });

  test('the form has one email and one password field', async () => {
    const { text } = await host.visitor().get('/sign-in');
    for (const type of ['email', 'password']) expect(text.match(new RegExp(`type="${type}"`, 'g'))).toHaveLength(1);
    expect(text).toContain('value="sign-in"');
    expect(text).not.toContain('role="alert"');
  });

  test('an unsafe return path leads to the account', async () => {
    const user = await host.makeUser();
    const { location } = await host.visitor().signIn(user, '/en/sign-in?next=%2F%2Fevil.example');
    expect(location).toBe('/en/account');
  });

  test('wrong credentials show the same alert for known and unknown accounts', async () => {
    const { email } = await host.makeUser();
    const wrong = { email, password: 'not the password' };
    const known = await host.visitor().signIn(wrong);
    const unknown = await host.visitor().signIn({ ...wrong, email: `${sha256Hex(email).slice(0, 36)}@example.com` });
    const generic = (page: string) => page.replaceAll(/value="[^"]*"/g, '');
    expect([known.status, unknown.status]).toEqual([400, 400]);
    expect(known.text.match(/role="alert"/g)).toHaveLength(1);
    expect(generic(known.text)).toBe(generic(unknown.text));
    expect(known.text).toContain(`value="${email}"`);
    expect(known.text).not.toContain(wrong.password);
    expect(known.headers.getSetCookie()).toEqual([]);
  });

  test('empty fields are marked and linked from the alert', async () => {
    const { status, text } = await host.visitor().signIn({ email: '', password: '' }, '/nl/sign-in');
    expect(status).toBe(400);
    expect(text.match(/aria-invalid="true"/g)).toHaveLength(2);
    expect(text).toContain('<a href="#sign-in-email">Vul dit veld in.</a>');
    expect(text.match(/role="alert"/g)).toHaveLength(1);
  });

  test('a planted session ID is replaced at the sign-in', async () => {
    const user = await host.makeUser();
    const planted = 'p'.repeat(43);
    const visitor = createVisitor(host.url, new Map([[sessionCookie, planted]]));
    await visitor.signIn(user);
    expect(visitor.cookies.get(sessionCookie)).not.toBe(planted);
    const attacker = createVisitor(host.url, new Map([[sessionCookie, planted]]));
    expect((await attacker.get('/account')).status).toBe(303);
  });

  test('signing in again ends the previous session', async () => {
    const visitor = await host.signedIn();
    const former = createVisitor(host.url, new Map(visitor.cookies));
    const page = await former.get('/account/profile');
    const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(page.text) ?? [];
    const { email, password } = visitor.user;
    expect((await visitor.post('/sign-in', { email, password, _csrf: token })).status).toBe(303);
    expect((await visitor.get('/account')).status).toBe(200);
    expect((await former.get('/account')).status).toBe(303);
  });

  test('the session cookie is HttpOnly and stored only as a hash', async () => {
    const user = await host.makeUser();
    const visitor = host.visitor();
    const answer = await visitor.signIn(user);
    const id = visitor.cookies.get(sessionCookie) ?? '';
    const line = answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${sessionCookie}=`));
    expect(line).toBe(`${sessionCookie}=${id}; Path=/; HttpOnly; SameSite=Lax`);
    expect(Buffer.from(id, 'base64url')).toHaveLength(32);
    expect(await Session.exists({ _id: sha256Hex(id) })).not.toBeNull();
    expect(await Session.exists({ _id: id })).toBeNull();
  });

  test('signing out invalidates copies of the cookie', async () => {
    const visitor = await host.signedIn();
    const thief = createVisitor(host.url, new Map(visitor.cookies));
    expect((await thief.get('/account')).status).toBe(200);
    const out = await visitor.send('/account', '/sign-out', {});
    expect([out.status, out.location]).toEqual([303, '/en/sign-in?notice=signedOut']);
    expect(visitor.cookies.has(sessionCookie)).toBe(false);
    expect((await thief.get('/account')).status).toBe(303);
  });

  test('a session ends after 12 hours of inactivity or one week', async () => {
    const idle = await host.signedIn();
    clock.offsetMs += 12 * hourMs + 1_000;
    expect((await idle.get('/account')).status).toBe(303);

    const busy = await host.signedIn();
    for (let half = 0; half < 14; half += 1) {
      clock.offsetMs += 11.9 * hourMs;
      expect([half, (await busy.get('/account')).status]).toEqual([half, 200]);
    }
    // Still in use: less than 12 hours after its last view.
    clock.offsetMs += 1.5 * hourMs;
    expect((await busy.get('/account')).status).toBe(303);
  });
});

describe('the sign-in of a host behind TLS', () => {
  const world = startWorld({ hasTariffs: false, environment: { AUTH_URL: 'https://post.example.com' } });

  test('over HTTPS the cookies have the __Host- prefix and Secure', async () => {
    const host = await openWebHost(world);
    const user = await host.makeUser();
    const answer = await host.visitor().signIn(user);
    const lines = answer.headers.getSetCookie();
    expect(lines).toHaveLength(2);
    for (const line of lines)
      expect(line).toMatch(/^__Host-bluejay-\w+=[^;]+;.* Path=\/;.*HttpOnly; Secure; SameSite=Lax$/);
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
    await host.close();
  });
});
