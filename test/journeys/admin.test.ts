import { beforeAll, describe, expect, test } from '@jest/globals';
import { createKeyAuthenticator } from '../../common/access/authenticate-key.ts';
import { systemClock } from '../../common/clock.ts';
import { OAuthClient, type OAuthClientRecord } from '../../common/oauth/client.model.ts';
import { verifyUser } from '../../common/organizations/verify-user.ts';
import { sha256Hex } from '../../common/secrets.ts';
import { LedgerEntry } from '../../common/wallet/ledger-entry.model.ts';
import { useAdmin } from '../support/admin.ts';

const address = ['--line1', 'Rue Haute 1', '--zip', '1000', '--city', 'Bruxelles', '--country', 'BE'];

describe('the administration command line', () => {
  const admin = useAdmin();
  let org: string;

  beforeAll(async () => {
    await admin.get('migrate');
    org = (await admin.get('org', 'create', '--name', 'Müller & Fils', ...address)).organizationId;
  });

  test('given a new organization, when it is shown, then its address and two secrets are there', async () => {
    expect(org).toMatch(/^org_[0-9a-z]{26}$/);
    expect(await admin.get('org', 'show', '--org', org)).toEqual({
      organizationId: org,
      name: 'Müller & Fils',
      address: {
        name: 'Müller & Fils',
        line1: 'Rue Haute 1',
        line2: null,
        zip: '1000',
        city: 'Bruxelles',
        country: 'BE',
      },
      jobWebhookSecret: { test: expect.stringMatching(/^whsec_.{44}$/), live: expect.stringMatching(/^whsec_.{44}$/) },
    });
  });

  test('given a new organization, when its wallets are shown, then the test one is filled and the live one empty', async () => {
    const show = (mode: string) => admin.get('wallet', 'show', '--org', org, '--mode', mode);
    expect(await show('test')).toEqual({ organizationId: org, mode: 'test', balanceCents: 100_000, currency: 'EUR' });
    expect(await show('live')).toEqual({ organizationId: org, mode: 'live', balanceCents: 0, currency: 'EUR' });
  });

  test('given a payment, when it is credited twice by one reference, then the wallet has it once', async () => {
    const payment = ['--org', org, '--mode', 'live', '--cents', '2500', '--reference', 'bank 77'];
    const first = await admin.get('wallet', 'top-up', ...payment);
    expect(first).toEqual({
      organizationId: org,
      mode: 'live',
      balanceCents: 2_500,
      currency: 'EUR',
      transactionId: expect.stringMatching(/^txn_[0-9a-z]{26}$/),
      duplicate: false,
    });
    expect(await admin.get('wallet', 'top-up', ...payment)).toEqual({ ...first, duplicate: true });
    const entries = await admin.inDatabase(() => LedgerEntry.countDocuments({ walletId: `${org}:live` }));
    expect(entries).toBe(1);
    const again = await admin.runForPeople('wallet', 'top-up', ...payment);
    expect(again.stdout).toContain('Nothing credited');
  });

  test('given a new key, when it is used and then revoked, then it works and works no more', async () => {
    const made = await admin.get(
      ...['key', 'create', '--org', org, '--mode', 'live', '--scopes', 'read, send', '--name', 'web shop'],
      ...['--reads-per-minute', '1000', '--writes-per-minute', '600'],
    );
    expect(made).toEqual({
      keyId: expect.stringMatching(/^live[a-z2-7]{16}$/),
      key: expect.stringMatching(/^bjk_live[a-z2-7]{16}_[a-z2-7]{52}$/),
      mode: 'live',
      scopes: ['read', 'send'],
    });
    const authenticate = () => admin.inDatabase(() => createKeyAuthenticator(systemClock).authenticate(made.key));
    expect(await authenticate()).toMatchObject({ organizationId: org, readsPerMinute: 1_000, writesPerMinute: 600 });

    const revoked = await admin.get('key', 'revoke', made.keyId);
    expect(revoked).toEqual({ keyId: made.keyId, revokedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) });
    expect(await authenticate()).toBeNull();
    expect(await admin.get('key', 'revoke', made.keyId)).toEqual(revoked);
  });

  test('given a tariff file, when it is imported, listed and removed, then its six tariffs come and one goes', async () => {
    const stored = await admin.get('tariff', 'import', 'scripts/demo/tariffs.json');
    expect(stored).toHaveLength(6);
    expect(stored[0]).toEqual({
      tariffId: expect.stringMatching(/^tar_[0-9a-z]{26}$/),
      zone: 'NATIONAL',
      serviceType: 'standard',
      validFrom: '2024-12-31T23:00:00.000Z',
      vatPercent: expect.objectContaining({ PRINT: 21 }),
      handlingCents: 0,
      pageCents: 26,
      colorPageCents: 22,
      registeredCents: 733,
      acknowledgmentReceiptCents: 164,
      envelopeGrams: 5,
      postage: expect.arrayContaining([{ upToGrams: 2_000, cents: 1_141 }]),
    });
    const { tariffId } = stored[0];
    expect((await admin.get('tariff', 'list')).map((tariff: { tariffId: string }) => tariff.tariffId)).toContain(
      tariffId,
    );
    expect(await admin.get('tariff', 'remove', tariffId)).toEqual({ tariffId, removed: true });
    expect(await admin.get('tariff', 'list')).toHaveLength(5);
  });

  test('given a new OAuth client, when it is stored, then its secret is there as a hash only', async () => {
    const uris = ['https://app.example/back', 'http://127.0.0.1:8080/back'];
    const made = await admin.get(
      ...['client', 'create', '--name', 'An app', '--scopes', 'send,read', '--mode', 'test'],
      ...uris.flatMap((uri) => ['--redirect-uri', uri]),
    );
    expect(made).toEqual({
      clientId: expect.stringMatching(/^bjc_[a-z2-7]{16}$/),
      clientSecret: expect.stringMatching(/^[a-z2-7]{52}$/),
      redirectUris: uris,
      scopes: ['send', 'read'],
      mode: 'test',
    });
    const record = await admin.inDatabase(() => OAuthClient.findById(made.clientId).lean<OAuthClientRecord>());
    expect(record?.secretHashes).toEqual([sha256Hex(made.clientSecret)]);
    expect(JSON.stringify(record)).not.toContain(made.clientSecret);
  });

  test.each([['--admin'], []])(
    'given a new user (%s), when he signs in, then he is whom he was made',
    async (...flags) => {
      const email = `${flags.length}@example.com`;
      const words = ['user', 'create', '--org', org, '--email', email.toUpperCase(), '--password', 'twelve chars'];
      const made = await admin.get(...words, ...flags);
      expect(made).toEqual({ userId: expect.stringMatching(/^usr_[0-9a-z]{26}$/), organizationId: org, email });
      const user = await admin.inDatabase(() => verifyUser(email, 'twelve chars'));
      expect(user).toMatchObject({ _id: made.userId, isAdmin: flags.length === 1 });
    },
  );

  test('given a migrated database, when it is migrated again, then nothing is left to do', async () => {
    expect(await admin.get('migrate')).toEqual({ migrated: [] });
  });

  test('given a command without --json, when it succeeds, then a person can read the answer', async () => {
    const { code, stdout, stderr } = await admin.runForPeople('wallet', 'show', '--org', org, '--mode', 'test');
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `The test wallet of ${org} holds 1,000.00 EUR.\n`,
      stderr: '',
    });
  });

  test('given --json before the command, when it succeeds, then the answer is one line of JSON', async () => {
    const { stdout } = await admin.runForPeople('--json', 'wallet', 'show', '--org', org, '--mode', 'test');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ organizationId: org });
  });
});
