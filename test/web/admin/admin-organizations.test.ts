// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { openAccount } from '#common/wallet/open-account.ts';
import { readWallet } from '#common/wallet/wallets.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPostalAddress } from '#test/support/product/customer.ts';
import { startWebHost, walkPages } from '#test/support/web/web-host.ts';

const list = '/admin/organizations';
const address = { line1: 'Rue Haute 1', line2: '', zip: '1000', city: 'Bruxelles', country: 'BE' };

describe('organizations in the administration area', () => {
  const { world, host } = startWebHost({ hasTariffs: false });
  const admin = openOnce(() => host.signedIn({ isAdmin: true }));

  const open = async (name: string) =>
    (await openAccount({ name, address: aPostalAddress() }, world.keyRing, new Date()))._id;
  const entriesOf = async (organizationId: string) => await AuditEntry.find({ organizationId }).sort({ _id: 1 }).lean();
  const balance = async (organizationId: string, mode: 'test' | 'live') =>
    (await readWallet({ organizationId, mode })).balanceCents;

  test('a new organization has wallets, a page and an audit entry', async () => {
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
  ])('a form with %j shows the error at %s', async (wrong, field, message) => {
    const { status, text } = await admin.send(list, list, { name: 'Kept', ...address, ...wrong });
    expect(status).toBe(400);
    expect(text).toContain(`id="admin-organizations-${field}-error">`);
    expect(text).toContain(message);
    expect(text).toContain('value="Rue Haute 1"');
  });

  test('search finds the start of a name or an ID, ignoring case and accents', async () => {
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

  test('paging shows each organization once', async () => {
    const ids = await Promise.all(Array.from({ length: 53 }, () => open('Walked')));
    const found = await walkPages(admin, `${list}?search=walk`, /<code>(org_\w+)<\/code>/g);
    expect(found.toSorted()).toEqual(ids.toSorted());
  });

  test('a top-up that is submitted twice is booked and logged once', async () => {
    const organizationId = await open('Payer');
    const page = `${list}/${organizationId}`;
    const payment = { mode: 'live', cents: '2500', reference: 'bank 77' };
    const first = await admin.send(page, `${page}/top-up`, payment);
    expect([first.status, first.location]).toEqual([303, `/en${page}?notice=changeSaved`]);
    const again = await admin.send(page, `${page}/top-up`, payment);
    expect(again.location).toBe(`/en${page}?notice=usedReference`);
    expect((await admin.get(again.location ?? '')).text).toContain('No money was moved');
    expect(await balance(organizationId, 'live')).toBe(2_500);
    expect(await entriesOf(organizationId)).toMatchObject([
      { action: 'wallet.topped-up', mode: 'live', detail: { amountCents: 2_500, transactionId: expect.any(String) } },
    ]);
  });

  test('an adjustment is limited by the balance and is logged', async () => {
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

  const noCents = ['1.5', '', '-1', '100000001', 'ten'];
  test.each(noCents)('a top-up of %j cents is refused at its field, and the input is kept', async (cents) => {
    const page = `${list}/${admin.user.organizationId}`;
    const { status, text } = await admin.send(page, `${page}/top-up`, { mode: 'live', cents, reference: 'kept' });
    expect(status).toBe(400);
    expect(text).toContain(`id="${page.slice(1).replaceAll('/', '-')}-top-up-cents-error"`);
    expect(text).toContain('value="kept"');
  });

  test('a threshold can be set and removed', async () => {
    const organizationId = await open('Low');
    const page = `${list}/${organizationId}`;
    await admin.send(page, `${page}/threshold`, { mode: 'test', cents: '200000' });
    expect((await admin.get(page)).text).toContain('Low below €2,000.00');
    await admin.send(page, `${page}/threshold`, { mode: 'test', cents: '0' });
    expect((await admin.get(page)).text).not.toContain('Low below €');
    expect((await entriesOf(organizationId)).map(({ action, mode, detail }) => [action, mode, detail])).toEqual([
      ['wallet.threshold-set', 'test', { lowBalanceCents: 200_000 }],
      ['wallet.threshold-set', 'test', { lowBalanceCents: null }],
    ]);
  });

  test('a new user can sign in, and is logged by ID without the email address', async () => {
    const organizationId = await open('Staffed');
    const page = `${list}/${organizationId}`;
    const user = { email: 'grace@staffed.example', password: 'a fairly long one' };
    expect((await admin.send(page, `${page}/users`, user)).status).toBe(303);
    expect((await admin.get(page)).text).toContain(user.email);
    expect((await host.visitor().signIn(user)).status).toBe(303);
    const entries = await entriesOf(organizationId);
    expect(entries).toMatchObject([
      { action: 'user.created', detail: { isAdmin: false } },
      { action: 'user.signed-in', detail: { isKnownBrowser: false } },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/grace|fairly/);
    const again = await admin.send(page, `${page}/users`, user);
    expect(again.status).toBe(400);
    expect(again.text).toContain('A user with this e-mail address exists already.');
    expect(again.text).not.toContain(user.password);
    const short = await admin.send(page, `${page}/users`, { email: 'x@staffed.example', password: 'short' });
    expect(short.text).toContain('Use at least 12 characters.');
  });

  test('pages and forms of an unknown organization are 404', async () => {
    const unknown = `${list}/org_01h455vb4pex5vsknk084sn02q`;
    expect((await admin.get(unknown)).status).toBe(404);
    expect((await admin.get(`${list}/%FF`)).status).toBe(404);
    const page = `${list}/${admin.user.organizationId}`;
    const hidden = /name="_csrf" value="([^"]*)"/.exec((await admin.get(page)).text)?.[1] ?? '';
    const payment = { _csrf: hidden, mode: 'live', cents: '1', reference: 'r' };
    expect((await admin.post(`/en${unknown}/top-up`, payment)).status).toBe(404);
  });
});
