// Level: push
import { userInfo } from 'node:os';
import { createKeyAuthenticator } from '#common/access/authenticate-key.ts';
import { AuditEntry } from '#common/audit/audit.model.ts';
import { systemClock } from '#common/clock.ts';
import { OAuthClient, type OAuthClientRecord } from '#common/oauth/client.model.ts';
import { verifyUser } from '#common/organizations/users.ts';
import { sha256Hex } from '#common/secrets.ts';
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { beforeAll, describe, expect, test } from '../support/jest.ts';
import { address, useAdmin } from '../support/wallet/admin.ts';

const password = 'a password from the input';

describe('the administration command line', () => {
  const admin = useAdmin();
  let org: string;

  beforeAll(async () => {
    await admin.get('migrate');
    org = (await admin.get('org', 'create', '--name', 'Müller & Fils', ...address)).organizationId;
  });

  test('a new organization is shown with its address and two secrets', async () => {
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

  test('a new organization has a filled test wallet and an empty live wallet', async () => {
    const show = (mode: string) => admin.get('wallet', 'show', '--org', org, '--mode', mode);
    expect(await show('test')).toEqual({ organizationId: org, mode: 'test', balanceCents: 100_000, currency: 'EUR' });
    expect(await show('live')).toEqual({ organizationId: org, mode: 'live', balanceCents: 0, currency: 'EUR' });
  });

  test('a payment credited twice with one reference is in the wallet once', async () => {
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

  test('a new key works until it is revoked', async () => {
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

  test('a tariff file with six tariffs is imported and listed, and a tariff can be removed', async () => {
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

  test('the secret of a new OAuth client is stored only as a hash', async () => {
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

  test.each([['--admin'], []])('a new user (%s) can sign in with the role given at creation', async (...flags) => {
    const email = `${flags.length}@example.com`;
    const words = ['user', 'create', '--org', org, '--email', email.toUpperCase(), '--password', 'twelve chars'];
    const made = await admin.get(...words, ...flags);
    expect(made).toEqual({ userId: expect.stringMatching(/^usr_[0-9a-z]{26}$/), organizationId: org, email });
    const user = await admin.inDatabase(() => verifyUser(email, 'twelve chars', '192.0.2.1'));
    expect(user).toMatchObject({ _id: made.userId, isAdmin: flags.length === 1 });
  });

  test('migrating a migrated database does nothing', async () => {
    expect(await admin.get('migrate')).toEqual({ migrated: [] });
  });

  test('without --json the result is readable text', async () => {
    const { code, stdout, stderr } = await admin.runForPeople('wallet', 'show', '--org', org, '--mode', 'test');
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `The test wallet of ${org} holds 1,000.00 EUR.\n`,
      stderr: '',
    });
  });

  test('--json before the command prints one line of JSON', async () => {
    const { stdout } = await admin.runForPeople('--json', 'wallet', 'show', '--org', org, '--mode', 'test');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ organizationId: org });
  });
});

describe('the audit log of the administration command line', () => {
  const admin = useAdmin();
  beforeAll(async () => admin.get('migrate'));

  test('the audit log has each change once, without secrets or addresses', async () => {
    const { organizationId } = await admin.get('org', 'create', '--name', 'Ada Peeters', ...address);
    const org = ['--org', organizationId];
    const { keyId, key } = await admin.get('key', 'create', ...org, '--mode', 'live', '--scopes', 'read,send');
    await admin.get('key', 'revoke', keyId);
    await admin.get('key', 'revoke', keyId);
    const live = [...org, '--mode', 'live'];
    for (const _ of [1, 2]) await admin.get('wallet', 'top-up', ...live, '--cents', '900', '--reference', 'bank 1');
    await admin.get('wallet', 'adjust', ...live, '--cents=-100', '--reason', 'for Ada', '--reference', 'case 1');
    await admin.get('wallet', 'set-threshold', ...live, '--cents', '500');
    const password = 'correct horse battery';
    await admin.get('user', 'create', ...org, '--email', 'ada@peeters.example', '--password', password);
    await admin.get('wallet', 'show', ...live);
    const entries = await admin.inDatabase(async () => AuditEntry.find({ organizationId }).sort({ _id: 1 }).lean());
    expect(entries.map(({ action }) => action)).toEqual([
      'organization.created',
      'key.created',
      'key.revoked',
      'wallet.topped-up',
      'wallet.adjusted',
      'wallet.threshold-set',
      'user.created',
    ]);
    expect(new Set(entries.map(({ actor }) => `${actor.kind} ${actor.id}`))).toEqual(
      new Set([`cli ${userInfo().username}`]),
    );
    const text = JSON.stringify(entries);
    for (const secret of [key, password, 'ada@', 'Ada', 'Rue Haute']) expect(text).not.toContain(secret);
  });
});

describe('user create', () => {
  const admin = useAdmin();
  let org: string[];
  beforeAll(async () => {
    await admin.get('migrate');
    org = ['--org', (await admin.get('org', 'create', '--name', 'Drukkerij Janssens', ...address)).organizationId];
  });
  const create = (email: string, ...more: string[]) => admin.run('user', 'create', ...org, '--email', email, ...more);
  const signsIn = (email: string, typed: string) =>
    admin.inDatabase(async () => (await verifyUser(email, typed, '192.0.2.1')) !== null);

  test.each(['', '\n', '\r\n'])('the password is read from standard input without the line break %j', async (end) => {
    const email = `input${end.length}@example.com`;
    admin.type(password + end);
    const { code, json, stdout } = await create(email);
    expect([code, Object.keys(json)]).toEqual([0, ['userId', 'organizationId', 'email']]);
    expect(stdout).not.toContain(password);
    expect(await signsIn(email, password)).toBe(true);
  });

  test('--generate creates a password and prints it', async () => {
    const { json } = await create('made@example.com', '--generate');
    expect(json.password).toMatch(/^[a-z2-7]{24}$/);
    expect(await signsIn('made@example.com', json.password)).toBe(true);
  });

  test('--password works, but not together with --generate', async () => {
    expect((await create('option@example.com', '--password', password)).code).toBe(0);
    const both = await create('both@example.com', '--password', password, '--generate');
    expect(both).toMatchObject({ code: 1, stderr: '--password: Give a password or --generate, not both.\n' });
  });

  test.each([
    ['', 'Give the password on standard input, or let --generate make one.'],
    ['password1234', '--password: This password is one of those that are tried first.'],
    ['refused@example.com', '--password: This password is made of the e-mail address'],
    ['drukkerij janssens', '--password: This password is made of the e-mail address'],
  ])('the password %j is refused and no user is stored', async (typed, reason) => {
    admin.type(typed);
    const { code, stderr } = await create('refused@example.com');
    expect([code, stderr.startsWith(reason)]).toEqual([1, true]);
    expect(await signsIn('refused@example.com', typed)).toBe(false);
  });
});
