// Level: push
import { Address, type AddressRecord } from '#common/addresses/address.model.ts';
import { createAddress } from '#common/addresses/change-addresses.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { aPostalAddress } from '#test/support/product/customer.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

const path = '/account/addresses';
const { line2: _, ...typed } = aPostalAddress();
const good = { mode: 'test', kind: 'SENDER', ...typed, line2: '', label: 'Head office', action: 'create' };

describe('the pages of the address book', () => {
  const { host } = startWebHost();

  const entriesOf = (organizationId: string) =>
    Address.find({ organizationId }).sort({ _id: 1 }).lean<AddressRecord[]>();

  test('an address can be created, changed, made the default and deleted', async () => {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    const made = await visitor.send(`${path}/new`, `${path}/new`, good);
    expect([made.status, made.location]).toEqual([303, '/en/account/addresses?mode=test&notice=addressSaved']);
    const [entry] = await entriesOf(organizationId);
    expect(entry).toMatchObject({ mode: 'test', line2: null, label: 'Head office', isDefault: false, ...typed });
    const own = `${path}/${entry?._id}`;
    expect((await visitor.get(path)).text).toContain('Head office');

    const changed = await visitor.send(own, own, {
      ...good,
      name: 'Bo <Janssens>',
      country: 'NL',
      zip: '1012 AB',
      label: '',
    });
    expect(changed.status).toBe(303);
    expect(await entriesOf(organizationId)).toMatchObject([{ name: 'Bo <Janssens>', zip: '1012 AB', label: null }]);
    expect((await visitor.get(path)).text).toContain('Bo &lt;Janssens&gt;');

    expect((await visitor.send(own, `${own}/default`, {})).location).toBe(`/en${own}?notice=addressIsDefault`);
    expect(await entriesOf(organizationId)).toMatchObject([{ isDefault: true }]);
    expect((await visitor.get(own)).text).not.toContain('value="default"');

    expect((await visitor.get(`${own}/delete`)).text).toContain('Bo &lt;Janssens&gt;');
    expect(await entriesOf(organizationId)).toHaveLength(1);
    const deleted = await visitor.send(`${own}/delete`, `${own}/delete`, { action: 'delete' });
    expect(deleted.location).toBe('/en/account/addresses?mode=test&notice=addressDeleted');
    expect(await entriesOf(organizationId)).toEqual([]);
  });

  test('invalid fields are marked in the language of the page, the rest is kept', async () => {
    const visitor = await host.signedIn();
    const wrong = { ...good, name: ' ', zip: '0999', country: 'XX', city: 'x'.repeat(81), label: 'Kept "label"' };
    const { status, text } = await visitor.send(`/fr${path}/new`, `${path}/new`, wrong);
    expect(status).toBe(400);
    expect(text.match(/role="alert"/g)).toHaveLength(1);
    for (const name of ['name', 'city', 'country']) expect(text).toContain(`id="account-addresses-new-${name}-error"`);
    expect(text).toContain('Remplissez ce champ.');
    expect(text).toContain('value="Kept &quot;label&quot;"');

    const zip = await visitor.send(`/nl${path}/new`, `${path}/new`, { ...good, zip: '0999' });
    expect(zip.status).toBe(400);
    expect(zip.text).toContain('Vul een Belgische postcode in');
    expect(zip.text).toContain('value="0999"');
    expect(zip.text).toContain('<option value="BE" selected>België</option>');
    expect(await entriesOf(visitor.user.organizationId)).toEqual([]);
  });

  test('a refused change shows the form again with the input', async () => {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    const { _id } = await anEntry(organizationId, 'Old name');
    const own = `${path}/${_id}`;
    const { status, text } = await visitor.send(own, own, { ...good, name: '', city: 'Typed town' });
    expect(status).toBe(400);
    expect(text).toContain('value="Typed town"');
    expect(text).toContain('aria-invalid="true"');
    expect(await entriesOf(organizationId)).toMatchObject([{ name: 'Old name' }]);
  });

  test('the list can be filtered by kind, mode and name', async () => {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    await anEntry(organizationId, 'Liège sender');
    await anEntry(organizationId, 'Gent recipient', { kind: 'RECIPIENT' });
    const names = async (query: string) => {
      const { text } = await visitor.get(`${path}?${query}`);
      return [...text.matchAll(/<td[^>]*><strong>([^<]*)</g)].map(([, name]) => name);
    };
    expect(await names('')).toEqual(['Gent recipient', 'Liège sender']);
    expect(await names('kind=SENDER&q=')).toEqual(['Liège sender']);
    expect(await names('kind=&q=liege')).toEqual(['Liège sender']);
    expect(await names('mode=live')).toEqual([]);
    for (let n = 0; n < 26; n += 1) await anEntry(organizationId, `Real ${n}`, { mode: 'live' });
    expect(await names('')).toHaveLength(25);
    const [, cursor] = /cursor=([\w-]+)"/.exec((await visitor.get(path)).text) ?? [];
    expect(await names(`mode=live&cursor=${cursor}`)).toEqual(['Real 0']);
  });

  async function anEntry(
    organizationId: string,
    name: string,
    { kind = 'SENDER', mode = 'test' }: { kind?: 'SENDER' | 'RECIPIENT'; mode?: 'test' | 'live' } = {},
  ): Promise<AddressRecord> {
    return await createAddress({ organizationId, mode }, { kind, ...aPostalAddress({ name }) }, new Date());
  }
});
