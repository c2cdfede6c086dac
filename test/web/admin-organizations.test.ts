import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuditEntry } from '../../common/organizations/audit.model.ts';
import { openAccount } from '../../common/wallet/open-account.ts';
import { readWallet } from '../../common/wallet/wallets.ts';
import { aPostalAddress } from '../support/builders.ts';
import type { Visitor } from '../support/visitor.ts';
import { openWebHost, type WebHost, type WebUser } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

const list = '/admin/organizations';
const address = { line1: 'Rue Haute 1', line2: '', zip: '1000', city: 'Bruxelles', country: 'BE' };

describe('organizations in the area of administrators', () => {
  const world = startWorld({ hasTariffs: false });
  let host: WebHost;
  let admin: Visitor & { user: WebUser };
  beforeAll(async () => {
    host = await openWebHost(world);
    admin = await host.signedIn({ isAdmin: true });
  });
  afterAll(async () => host.close());

  const open = async (name: string) =>
    (await openAccount({ name, address: aPostalAddress() }, world.keyRing, new Date()))._id;
  const entriesOf = async (organizationId: string) => await AuditEntry.find({ organizationId }).sort({ _id: 1 }).lean();
  const balance = async (organizationId: string, mode: 'test' | 'live') =>
    (await readWallet({ organizationId, mode })).balanceCents;

  test('given the form, when an organization is made, then it has wallets, a page of its own and an entry in the log', async () => {
    const made = await admin.send(list, list, { name: 'Müller & Fils', ...address });
    expect([made.status, made.location]).toEqual([
      303,
      expect.stringMatching(/^\/en\/admin\/organizations\/org_[0-9a-z]{26}\?notice=changeSaved$/),
    ]);
    const organizationId = /org_\w+/.exec(made.location ?? '')?.[0] ?? '';
    const page = await admin.get(made.location ?? '');
    expect(page.text).toContain('<h1>Müller &amp; Fils</h1>');
    expect(page.text).toContain('Rue Haute 1');
    expect(page.text).toContain('€1,000.00');
    expect(await entriesOf(organizationId)).toMatchObject([
      {
        _id: expect.stringMatching(/^aud_/),
        actor: { kind: 'user', id: admin.user.userId },
        action: 'organization.created',
        subjectId: organizationId,
        detail: {},
      },
    ]);
  });

  test.each([
    [{ zip: '99' }, 'zip', 'A Belgian postal code has four digits'],
    [{ country: 'be' }, 'country', 'ISO 3166-1'],
    [{ name: ' ' }, 'name', 'Fill in this field.'],
  ])('given a form with %j, when it is sent, then the field %s says what is wrong', async (wrong, field, message) => {
    const { status, text } = await admin.send(list, list, { name: 'Kept', ...address, ...wrong });
    expect(status).toBe(400);
    expect(text).toContain(`id="admin-organizations-${field}-error">`);
    expect(text).toContain(message);
    expect(text).toContain('value="Rue Haute 1"');
  });

  test('given names, when one is looked for, then it is found by its beginning and its id, whatever case and accents', async () => {
    const [first, second] = [await open('Écluse Nord'), await open('Ecluse Sud')];
    for (const search of ['eclus', 'ÉCLUSE']) {
      const { text } = await admin.get(`${list}?${new URLSearchParams({ search })}`);
      expect(text).toContain(first);
      expect(text).toContain(second);
      expect(text).not.toContain(admin.user.organizationId);
    }
    const { text } = await admin.get(`${list}?search=${second}`);
    expect(text).toContain('Ecluse Sud');
    expect(text).not.toContain('Écluse Nord');
    expect((await admin.get(`${list}?search=clus`)).text).toContain('No organization found');
  });

  test('given more than a page of one name, when the list is walked, then each is there once', async () => {
    const ids = await Promise.all(Array.from({ length: 53 }, () => open('Walked')));
    const found: string[] = [];
    let next: string | undefined = `${list}?search=walk`;
    for (let page = 0; next !== undefined && page < 5; page += 1) {
      const { text } = await admin.get(next);
      found.push(...[...text.matchAll(/<code>(org_\w+)<\/code>/g)].map(([, id = '']) => id));
      next = /class="button plain" href="([^"]*cursor=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(found.toSorted()).toEqual(ids.toSorted());
  });

  test('given a payment, when the top-up is sent twice, then the wallet and the log have it once', async () => {
    const organizationId = await open('Payer');
    const page = `${list}/${organizationId}`;
    const payment = { mode: 'live', cents: '2500', reference: 'bank 77' };
    const first = await admin.send(page, `${page}/top-up`, payment);
    expect([first.status, first.location]).toEqual([303, `/en${page}?notice=changeSaved`]);
    const again = await admin.send(page, `${page}/top-up`, payment);
    expect(again.location).toBe(`/en${page}?notice=usedReference`);
    expect((await admin.get(again.location ?? '')).text).toContain('Nothing was moved');
    expect(await balance(organizationId, 'live')).toBe(2_500);
    expect(await entriesOf(organizationId)).toMatchObject([
      { action: 'wallet.topped-up', detail: { mode: 'live', amountCents: 2_500, transactionId: expect.any(String) } },
    ]);
  });

  test('given a wallet, when it is adjusted, then by as much as it can cover, and the log has what was moved', async () => {
    const organizationId = await open('Adjusted');
    const page = `${list}/${organizationId}`;
    const adjust = (cents: string, reference: string) =>
      admin.send(page, `${page}/adjust`, { mode: 'test', cents, reason: 'paid twice', reference });
    expect((await adjust('-500', 'case 1')).status).toBe(303);
    const short = await adjust('-99600', 'case 2');
    expect(short.status).toBe(409);
    expect(short.text).toContain('The balance cannot cover this.');
    expect(short.text).toContain('value="-99600"');
    expect((await adjust('0', 'case 3')).status).toBe(400);
    expect(await balance(organizationId, 'test')).toBe(99_500);
    expect((await entriesOf(organizationId)).map(({ action, detail }) => [action, detail.amountCents])).toEqual([
      ['wallet.adjusted', -500],
    ]);
  });

  test.each(['1.5', '', '-1', '100000001', 'ten'])(
    'given the cents %j, when a top-up is sent, then it is refused beside its field, and what was typed is kept',
    async (cents) => {
      const page = `${list}/${admin.user.organizationId}`;
      const { status, text } = await admin.send(page, `${page}/top-up`, { mode: 'live', cents, reference: 'kept' });
      expect(status).toBe(400);
      expect(text).toContain(`id="${page.slice(1).replaceAll('/', '-')}-top-up-cents-error"`);
      expect(text).toContain('value="kept"');
    },
  );

  test('given a threshold, when it is set and taken away, then the page says so each time', async () => {
    const organizationId = await open('Low');
    const page = `${list}/${organizationId}`;
    await admin.send(page, `${page}/threshold`, { mode: 'test', cents: '200000' });
    expect((await admin.get(page)).text).toContain('Low below €2,000.00');
    await admin.send(page, `${page}/threshold`, { mode: 'test', cents: '0' });
    expect((await admin.get(page)).text).not.toContain('Low below €');
    expect((await entriesOf(organizationId)).map(({ action, detail }) => [action, detail])).toEqual([
      ['wallet.threshold-set', { mode: 'test', lowBalanceCents: 200_000 }],
      ['wallet.threshold-set', { mode: 'test', lowBalanceCents: null }],
    ]);
  });

  test('given a new user, when he signs in, then he may; the log has his id, and not his address', async () => {
    const organizationId = await open('Staffed');
    const page = `${list}/${organizationId}`;
    const user = { email: 'grace@staffed.example', password: 'a fairly long one' };
    expect((await admin.send(page, `${page}/users`, user)).status).toBe(303);
    expect((await admin.get(page)).text).toContain(user.email);
    expect((await host.visitor().signIn(user)).status).toBe(303);
    const entries = await entriesOf(organizationId);
    expect(entries).toMatchObject([{ action: 'user.created', detail: { isAdmin: false } }]);
    expect(JSON.stringify(entries)).not.toMatch(/grace|fairly/);
    const again = await admin.send(page, `${page}/users`, user);
    expect(again.status).toBe(400);
    expect(again.text).toContain('A user with this e-mail address exists already.');
    expect(again.text).not.toContain(user.password);
    const short = await admin.send(page, `${page}/users`, { email: 'x@staffed.example', password: 'short' });
    expect(short.text).toContain('Use at least 12 characters.');
  });

  test('given an organization that nobody has, when its page or a form is asked for, then 404', async () => {
    const { _id } = { _id: 'org_01h455vb4pex5vsknk084sn02q' };
    expect((await admin.get(`${list}/${_id}`)).status).toBe(404);
    expect((await admin.get(`${list}/%FF`)).status).toBe(404);
    const page = `${list}/${admin.user.organizationId}`;
    const hidden = /name="_csrf" value="([^"]*)"/.exec((await admin.get(page)).text)?.[1] ?? '';
    const payment = { _csrf: hidden, mode: 'live', cents: '1', reference: 'r' };
    expect((await admin.post(`/en${list}/${_id}/top-up`, payment)).status).toBe(404);
  });
});
