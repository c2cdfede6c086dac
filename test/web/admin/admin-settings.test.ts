// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { listTariffs } from '#common/pricing/manage-tariffs.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { exampleTariffs } from '#test/support/product/tariffs.ts';
import { startWebHost } from '#test/support/web/web-host.ts';

const clients = '/admin/clients';
const tariffs = '/admin/tariffs';

describe('applications and tariffs in the administration area', () => {
  const { host } = startWebHost({ hasTariffs: false });
  const admin = openOnce(() => host.signedIn({ isAdmin: true }));

  const secretIn = (page: string) => /<code id="client-secret">([a-z2-7]{52})<\/code>/.exec(page)?.[1] ?? '';
  const actionsOf = async (subjectId: string) =>
    (await AuditEntry.find({ subjectId }).sort({ _id: 1 }).lean()).map(({ action, actor }) => [action, actor.id]);

  test('an application can be registered, rotated and disabled, each secret is shown once', async () => {
    const redirectUris = 'https://shop.example/callback\r\n\r\n http://127.0.0.1:8080/back ';
    const wanted = { name: 'Shop', mode: 'test', redirectUris, scopes: ['read', 'send'], tokensPerMinute: '4321' };
    const made = await admin.send(clients, clients, wanted);
    const secret = secretIn(made.text);
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(secret).not.toBe('');
    const clientId = /bjc_[a-z2-7]{16}/.exec(made.text)?.[0] ?? '';
    const list = await admin.get(clients);
    for (const part of [clientId, 'https://shop.example/callback', 'http://127.0.0.1:8080/back', 'Shop', '4321']) {
      expect(list.text).toContain(part);
    }
    expect(list.text).not.toContain(secret);

    const rotated = await admin.send(clients, `${clients}/rotate-secret`, { clientId });
    expect(secretIn(rotated.text)).toMatch(/^[a-z2-7]{52}$/);
    expect(secretIn(rotated.text)).not.toBe(secret);
    expect(rotated.text).toContain('works until');
    const disabled = await admin.send(clients, `${clients}/disable`, { clientId });
    expect([disabled.status, disabled.location]).toEqual([303, `/en${clients}?notice=changeSaved`]);
    expect((await admin.get(clients)).text).toContain('Disabled');
    const { userId } = admin.user;
    expect(await actionsOf(clientId)).toEqual([
      ['client.created', userId],
      ['client.secret-rotated', userId],
      ['client.disabled', userId],
    ]);
    expect(JSON.stringify(await AuditEntry.find({ subjectId: clientId }).lean())).not.toContain(secret);
  });

  test.each([
    [{ redirectUris: 'http://shop.example/' }, 'redirectUris', 'must begin with https://'],
    [{ redirectUris: ' \n ' }, 'redirectUris', 'Fill in this field.'],
    [{ scopes: [] as string[] }, 'scopes', 'Choose at least one option.'],
    [{ name: '' }, 'name', 'Fill in this field.'],
    [{ tokensPerMinute: '0' }, 'tokensPerMinute', ''],
    [{ tokensPerMinute: 'x' }, 'tokensPerMinute', ''],
  ])('an application with %j shows the error at %s', async (wrong, field, message) => {
    const wanted = { name: 'Kept', mode: 'live', redirectUris: 'https://kept.example/', scopes: ['read'], ...wrong };
    const { status, text } = await admin.send(clients, clients, wanted);
    expect(status).toBe(400);
    expect(text).toContain(`href="#admin-clients-${field}"`);
    expect(text).toContain(message);
    expect(secretIn(text)).toBe('');
  });

  test('changing an unknown application is 404', async () => {
    await admin.send(clients, clients, {
      name: 'Any',
      mode: 'test',
      redirectUris: 'https://a.example/',
      scopes: 'read',
    });
    for (const action of ['rotate-secret', 'disable']) {
      const answer = await admin.send(clients, `${clients}/${action}`, { clientId: 'bjc_aaaaaaaaaaaaaaaa' });
      expect([action, answer.status]).toEqual([action, 404]);
    }
  });

  test('a tariff file with errors lists all of them and imports nothing', async () => {
    const [good, ...others] = exampleTariffs;
    const file = JSON.stringify([good, { ...others[0], handlingCents: -1, zone: 'MOON' }, good]);
    const { status, text } = await admin.send(tariffs, `${tariffs}/import`, { file });
    expect(status).toBe(400);
    expect(text).toContain('Nothing was imported: the file has 3 errors.');
    for (const place of ['[1].zone:', '[1].handlingCents:', '[2]: repeats entry 0']) expect(text).toContain(place);
    expect(text).toContain('MOON');
    expect(await listTariffs()).toEqual([]);
    const broken = await admin.send(tariffs, `${tariffs}/import`, { file: '[{' });
    expect([broken.status, broken.text.includes('This is not JSON')]).toEqual([400, true]);
    expect((await admin.send(tariffs, `${tariffs}/import`, { file: '' })).status).toBe(400);
  });

  test('importing and removing tariffs updates the list and the audit log', async () => {
    const file = JSON.stringify(exampleTariffs);
    const stored = await admin.send(tariffs, `${tariffs}/import`, { file });
    expect([stored.status, stored.location]).toEqual([303, `/en${tariffs}?notice=changeSaved`]);
    const all = await listTariffs();
    expect(all).toHaveLength(6);
    expect(await AuditEntry.countDocuments({ action: 'tariff.imported' })).toBe(6);
    expect((await admin.send(tariffs, `${tariffs}/import`, { file })).text).toContain('is stored already');
    const tariffId = all[0]?._id ?? '';
    expect((await admin.send(tariffs, `${tariffs}/remove`, { tariffId })).status).toBe(303);
    expect(await listTariffs()).toHaveLength(5);
    const imported = ['tariff.imported', admin.user.userId];
    expect(await actionsOf(tariffId)).toEqual([imported, ['tariff.removed', admin.user.userId]]);
    expect((await admin.send(tariffs, `${tariffs}/remove`, { tariffId })).status).toBe(404);
  });
});
