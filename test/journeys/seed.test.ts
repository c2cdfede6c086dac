// Level: ci
import { chmod, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { ApiKey } from '#common/access/api-key.model.ts';
import { createKeyAuthenticator } from '#common/access/authenticate-key.ts';
import { scopes } from '#common/access/scopes.ts';
import { systemClock } from '#common/clock.ts';
import { modes } from '#common/modes.ts';
import { OAuthClient } from '#common/oauth/client.model.ts';
import { Organization } from '#common/organizations/organization.model.ts';
import { User } from '#common/organizations/user.model.ts';
import { verifyUser } from '#common/organizations/users.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { listTariffs } from '#common/pricing/manage-tariffs.ts';
import { moveMoney } from '#common/wallet/ledger/move-money.ts';
import { readWallet } from '#common/wallet/wallets.ts';
import { seedDemo } from '#scripts/seed.ts';
import { afterEach, beforeEach, describe, expect, test, useTempFolders } from '../support/jest.ts';
import { useAdmin } from '../support/wallet/admin.ts';

describe('the demonstration data of npm start', () => {
  const makeFolder = useTempFolders();
  const { environment: ofAdmin, inDatabase } = useAdmin();
  const environment = { ...ofAdmin, PORT: '4321' } as Record<string, string>;
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await makeFolder();
  });
  afterEach(async () => {
    await inDatabase(async () => mongoose.connection.dropDatabase());
  });

  const file = () => join(dataDir, 'demo.env');
  async function readDemo(): Promise<Record<string, string>> {
    const lines = (await readFile(file(), 'utf8')).trimEnd().split('\n');
    return Object.fromEntries(lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]));
  }
  const countAll = () =>
    inDatabase(async () => ({
      organizations: await Organization.countDocuments(),
      users: await User.countDocuments(),
      keys: await ApiKey.countDocuments(),
      clients: await OAuthClient.countDocuments(),
      tariffs: (await listTariffs()).length,
    }));
  const once = { organizations: 1, users: 2, keys: 2, clients: 1, tariffs: 6 };

  test('demo.env lists every credential of a new database, and each one works', async () => {
    await seedDemo(environment, dataDir);
    const demo = await readDemo();
    expect(demo).toEqual({
      BLUEJAY_URL: 'http://localhost:4321',
      BLUEJAY_AUTH_URL: 'http://localhost:4322',
      BLUEJAY_METRICS_URL: 'http://localhost:10785',
      BLUEJAY_WORKERS_METRICS_URL: 'http://localhost:10786',
      BLUEJAY_ORG: expect.stringMatching(/^org_/),
      BLUEJAY_TEST_KEY: expect.stringMatching(/^bjk_test/),
      BLUEJAY_LIVE_KEY: expect.stringMatching(/^bjk_live/),
      BLUEJAY_JOB_WEBHOOK_SECRET: expect.stringMatching(/^whsec_/),
      BLUEJAY_USER_EMAIL: 'demo@bluejay.example',
      BLUEJAY_USER_PASSWORD: expect.stringMatching(/^[a-z2-7]{24}$/),
      BLUEJAY_CLIENT_ID: expect.stringMatching(/^bjc_/),
      BLUEJAY_CLIENT_SECRET: expect.stringMatching(/^[a-z2-7]{52}$/),
      BLUEJAY_ADMIN_EMAIL: 'admin@bluejay.example',
      BLUEJAY_ADMIN_PASSWORD: expect.stringMatching(/^[a-z2-7]{24}$/),
    });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await countAll()).toEqual(once);
    await inDatabase(async () => {
      const { authenticate } = createKeyAuthenticator(systemClock);
      for (const key of [demo.BLUEJAY_TEST_KEY, demo.BLUEJAY_LIVE_KEY]) {
        expect(await authenticate(key ?? '')).toMatchObject({ organizationId: demo.BLUEJAY_ORG, scopes: [...scopes] });
      }
      const user = await verifyUser(demo.BLUEJAY_USER_EMAIL ?? '', demo.BLUEJAY_USER_PASSWORD ?? '', '192.0.2.1');
      expect(user?.isAdmin).toBe(false);
      const admin = await verifyUser(demo.BLUEJAY_ADMIN_EMAIL ?? '', demo.BLUEJAY_ADMIN_PASSWORD ?? '', '192.0.2.1');
      expect(admin?.isAdmin).toBe(true);
    });
  });

  test('a second start on another port changes only the URLs', async () => {
    await seedDemo(environment, dataDir);
    const first = await readDemo();
    await seedDemo({ ...environment, PORT: '5321' }, dataDir);
    expect(await readDemo()).toEqual({
      ...first,
      BLUEJAY_URL: 'http://localhost:5321',
      BLUEJAY_AUTH_URL: 'http://localhost:5322',
      BLUEJAY_METRICS_URL: 'http://localhost:11785',
      BLUEJAY_WORKERS_METRICS_URL: 'http://localhost:11786',
    });
    expect(await countAll()).toEqual(once);
  });

  test('without demo.env the same organization gets new secrets', async () => {
    await seedDemo(environment, dataDir);
    const first = await readDemo();
    await rm(file());
    await seedDemo(environment, dataDir);
    const second = await readDemo();
    expect(second.BLUEJAY_ORG).toBe(first.BLUEJAY_ORG);
    expect(second.BLUEJAY_TEST_KEY).not.toBe(first.BLUEJAY_TEST_KEY);
    expect(await countAll()).toEqual({ ...once, keys: 4, clients: 2 });
    await inDatabase(async () => {
      expect(
        await verifyUser('admin@bluejay.example', second.BLUEJAY_ADMIN_PASSWORD ?? '', '192.0.2.1'),
      ).not.toBeNull();
      expect(await createKeyAuthenticator(systemClock).authenticate(second.BLUEJAY_TEST_KEY ?? '')).not.toBeNull();
    });
  });

  test('nothing of a demo.env of another database is kept', async () => {
    await seedDemo(environment, dataDir);
    const first = await readDemo();
    await inDatabase(async () => mongoose.connection.dropDatabase());
    await seedDemo(environment, dataDir);
    const second = await readDemo();
    expect(second.BLUEJAY_ORG).not.toBe(first.BLUEJAY_ORG);
    expect(second.BLUEJAY_LIVE_KEY).not.toBe(first.BLUEJAY_LIVE_KEY);
    expect(await countAll()).toEqual(once);
  });

  test('an interrupted start is completed by the next one', async () => {
    await chmod(dataDir, 0o700);
    const blocked = join(dataDir, 'not-a-folder');
    await expect(seedDemo(environment, blocked)).rejects.toThrow('ENOENT');
    await seedDemo(environment, dataDir);
    expect(Object.keys(await readDemo())).toHaveLength(14);
    expect(await countAll()).toMatchObject({ organizations: 1, users: 2, tariffs: 6 });
  });

  test.each(modes)('a low %s wallet is refilled once', async (mode) => {
    await seedDemo(environment, dataDir);
    const owner = { organizationId: (await readDemo()).BLUEJAY_ORG ?? '', mode };
    expect(await inDatabase(() => readWallet(owner))).toMatchObject({ balanceCents: 100_000, seq: 1 });
    const spent = { owner, kind: 'debit', amountCents: -99_000, key: 'debit:test' } as const;
    await inDatabase(() => inTransaction((transaction) => moveMoney(transaction, [spent], new Date())));
    await seedDemo(environment, dataDir);
    await seedDemo(environment, dataDir);
    expect(await inDatabase(() => readWallet(owner))).toMatchObject({ balanceCents: 100_000, seq: 3 });
  });
});
