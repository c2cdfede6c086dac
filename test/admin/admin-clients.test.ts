// Level: push
import { plusMs } from '#common/clock.ts';
import { authenticateClient } from '#common/oauth/clients/authenticate-client.ts';
import { beforeAll, describe, expect, test } from '../support/jest.ts';
import { useAdmin } from '../support/wallet/admin.ts';

const hourMs = 60 * 60 * 1_000;

describe('the administration of applications', () => {
  const admin = useAdmin();
  let first: { clientId: string; clientSecret: string };
  const words = ['--redirect-uri', 'https://app.example/back', '--scopes', 'read,send', '--mode', 'live'];
  beforeAll(async () => {
    await admin.get('migrate');
    first = await admin.get('client', 'create', '--name', 'Shop', ...words);
    await admin.get('client', 'create', '--name', 'Archive', ...words);
  });
  const isTaken = (secret: string, afterMs = 0): Promise<boolean> =>
    admin.inDatabase(() => {
      const parameters = new Map([
        ['client_id', first.clientId],
        ['client_secret', secret],
      ]);
      const at = plusMs(new Date(), afterMs);
      return authenticateClient({ authorization: undefined, parameters, at }).then(
        () => true,
        () => false,
      );
    });

  test('the list shows applications by name, without secrets', async () => {
    const listed = await admin.get('client', 'list');
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Archive', 'Shop']);
    expect(listed[1]).toEqual({
      clientId: first.clientId,
      name: 'Shop',
      mode: 'live',
      scopes: ['read', 'send'],
      redirectUris: ['https://app.example/back'],
      tokensPerMinute: null,
      createdAt: expect.stringMatching(/Z$/),
      disabledAt: null,
    });
  });

  test('the token limit of an application is set on creation and can be changed', async () => {
    const limited = ['client', 'create', '--name', 'Limited', ...words, '--tokens-per-minute'];
    const { clientId } = await admin.get(...limited, '5000');
    const listed = async () =>
      (await admin.get('client', 'list')).find((client: { clientId: string }) => client.clientId === clientId);
    expect((await listed()).tokensPerMinute).toBe(5_000);
    for (const [option, expected] of [
      [['--tokens-per-minute', '7000'], 7_000],
      [[], null],
    ] as const) {
      const changed = await admin.get('client', 'set-limit', clientId, ...option);
      expect(changed).toEqual({ clientId, tokensPerMinute: expected });
      expect((await listed()).tokensPerMinute).toBe(expected);
    }
    for (const wrong of ['0', '1.5', '1000001', 'many']) expect((await admin.run(...limited, wrong)).code).toBe(1);
    await admin.get('client', 'disable', clientId);
    expect((await admin.run('client', 'set-limit', clientId)).code).toBe(1);
  });

  test('after a rotation the former secret works for its overlap hours, or until the next rotation', async () => {
    const rotated = await admin.get('client', 'rotate-secret', first.clientId);
    expect(rotated).toEqual({
      clientId: first.clientId,
      clientSecret: expect.stringMatching(/^[a-z2-7]{52}$/),
      formerSecretEndsAt: expect.stringMatching(/Z$/),
    });
    for (const secret of [first.clientSecret, rotated.clientSecret]) expect(await isTaken(secret)).toBe(true);
    expect(await isTaken(first.clientSecret, 23.9 * hourMs)).toBe(true);
    expect(await isTaken(first.clientSecret, 24 * hourMs)).toBe(false);
    expect(await isTaken(rotated.clientSecret, 24 * hourMs)).toBe(true);

    const again = await admin.get('client', 'rotate-secret', first.clientId);
    expect(await isTaken(first.clientSecret)).toBe(false);
    for (const secret of [rotated.clientSecret, again.clientSecret]) expect(await isTaken(secret)).toBe(true);

    const leaked = await admin.get('client', 'rotate-secret', first.clientId, '--overlap-hours', '0');
    expect(await isTaken(again.clientSecret)).toBe(false);
    expect(await isTaken(leaked.clientSecret)).toBe(true);
  });

  test('a disabled application has no working secret, and disabling it again changes nothing', async () => {
    const { clientSecret } = await admin.get('client', 'rotate-secret', first.clientId);
    const disabled = await admin.get('client', 'disable', first.clientId);
    expect(disabled).toEqual({
      clientId: first.clientId,
      disabledAt: expect.stringMatching(/Z$/),
      revokedGrantCount: 0,
    });
    expect(await isTaken(clientSecret)).toBe(false);
    expect(await admin.get('client', 'disable', first.clientId)).toEqual(disabled);
    const refused = await admin.run('client', 'rotate-secret', first.clientId);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('disabled')]);
    expect((await admin.get('client', 'list')).at(-1).disabledAt).toBe(disabled.disabledAt);
  });

  test.each(['bjc_x', 'bjc_aaaaaaaaaaaaaaaa'])('disabling the unknown id %s fails with one sentence', async (id) => {
    const { code, stderr } = await admin.run('client', 'disable', id);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/application/)]);
  });
});
