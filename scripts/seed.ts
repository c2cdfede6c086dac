import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiKey } from '../common/access/api-keys.ts';
import { scopes } from '../common/access/scopes.ts';
import { systemClock } from '../common/clock.ts';
import { readConfig } from '../common/config.ts';
import type { Mode } from '../common/modes.ts';
import { createClient } from '../common/oauth/create-client.ts';
import { openJobWebhookSecrets } from '../common/organizations/create-organization.ts';
import { createUser } from '../common/organizations/create-user.ts';
import { Organization, type OrganizationRecord } from '../common/organizations/organization.model.ts';
import { setPassword } from '../common/organizations/set-password.ts';
import { User } from '../common/organizations/user.model.ts';
import { createLog } from '../common/platform/log.ts';
import { migrate } from '../common/platform/migrate.ts';
import { connectMongo, disconnectMongo } from '../common/platform/mongo.ts';
import { importTariffs, listTariffs } from '../common/pricing/tariffs.ts';
import { migrations } from '../common/schema/migrations.ts';
import { createKeyRing, type KeyRing, randomBase32 } from '../common/secrets.ts';
import { openAccount } from '../common/wallet/open-account.ts';
import { readWallet, topUpWallet } from '../common/wallet/wallets.ts';
import { type DemoEnvironment, readDemoEnvironment, writeDemoEnvironment } from './demo/demo-environment.ts';

const tariffsFile = join(import.meta.dirname, 'demo/tariffs.json');
const organizationName = 'Bluejay Demo';
const organizationAddress = {
  name: organizationName,
  line1: 'Rue de la Loi 16',
  line2: null,
  zip: '1000',
  city: 'Bruxelles',
  country: 'BE',
};
const userEmail = 'demo@bluejay.example';
const adminEmail = 'admin@bluejay.example';
/** Where an application that tries OAuth out would listen. */
const redirectUris = ['http://127.0.0.1:8080/callback'];
/** The test wallet pays for one demonstration letter a start: below the first sum it is filled up by the second. */
const refill = { belowCents: 5_000, cents: 100_000 };

/**
 * Prepares the database of an `npm start`: its shape, a demonstration organization with all that belongs to it, and
 * `demo.env`. What an earlier start has made stays; what `demo.env` has lost is made anew, since it cannot be shown
 * again. May be cut off at any point: the next start completes it.
 */
export async function seedDemo(environment: Record<string, string>, dataDir: string): Promise<void> {
  const config = readConfig(environment);
  const keyRing = createKeyRing(config.encryptionKeys);
  await connectMongo(config.mongo.url, 'bluejay-seed');
  try {
    // Of what goes wrong here the caller hears by the error; the rest is of no interest at every start.
    await migrate(migrations, systemClock, createLog('seed', 'silent'));
    const shown = await readDemoEnvironment(dataDir);
    const organization = await ensureOrganization(shown.BLUEJAY_ORG, keyRing);
    // Secrets of an organization that this database does not have are worth nothing.
    const kept = organization._id === shown.BLUEJAY_ORG ? shown : {};
    await refillTestWallet(organization._id);
    await writeDemoEnvironment(dataDir, {
      BLUEJAY_URL: config.http.baseUrl,
      BLUEJAY_AUTH_URL: config.http.authUrl,
      BLUEJAY_METRICS_URL: `http://localhost:${config.http.metricsPort}`,
      BLUEJAY_ORG: organization._id,
      BLUEJAY_JOB_WEBHOOK_SECRET: openJobWebhookSecrets(organization, keyRing).test,
      ...(await ensureCredentials(organization._id, kept)),
    });
  } finally {
    await disconnectMongo();
  }
}

/** The demonstration's organization; tariffs come before it, so that an organization means that both were made. */
async function ensureOrganization(shownId: string | undefined, keyRing: KeyRing): Promise<OrganizationRecord> {
  const known =
    (shownId && (await Organization.findById(shownId).lean<OrganizationRecord>())) ||
    // The oldest of this name: it was made before anybody could make another.
    (await Organization.findOne({ name: organizationName }).sort({ _id: 1 }).lean<OrganizationRecord>());
  if (known) return known;
  if ((await listTariffs()).length === 0) await importTariffs(JSON.parse(await readFile(tariffsFile, 'utf8')));

  return await openAccount({ name: organizationName, address: organizationAddress }, keyRing, systemClock.now());
}

async function refillTestWallet(organizationId: string): Promise<void> {
  const owner = { organizationId, mode: 'test' } as const;
  const { balanceCents, seq } = await readWallet(owner);
  if (balanceCents >= refill.belowCents) return;
  // Named by the state of the wallet, so that a start that is cut off and repeated fills it once.
  await topUpWallet(owner, refill.cents - balanceCents, `demo refill after entry ${seq}`, systemClock.now());
}

type Credentials = Omit<
  DemoEnvironment,
  'BLUEJAY_URL' | 'BLUEJAY_AUTH_URL' | 'BLUEJAY_METRICS_URL' | 'BLUEJAY_ORG' | 'BLUEJAY_JOB_WEBHOOK_SECRET'
>;

async function ensureCredentials(organizationId: string, kept: Partial<DemoEnvironment>): Promise<Credentials> {
  const client =
    kept.BLUEJAY_CLIENT_ID && kept.BLUEJAY_CLIENT_SECRET
      ? { id: kept.BLUEJAY_CLIENT_ID, secret: kept.BLUEJAY_CLIENT_SECRET }
      : await makeClient();
  return {
    BLUEJAY_TEST_KEY: kept.BLUEJAY_TEST_KEY ?? (await makeKey(organizationId, 'test')),
    BLUEJAY_LIVE_KEY: kept.BLUEJAY_LIVE_KEY ?? (await makeKey(organizationId, 'live')),
    BLUEJAY_USER_EMAIL: userEmail,
    BLUEJAY_USER_PASSWORD: kept.BLUEJAY_USER_PASSWORD ?? (await makeUser(organizationId, userEmail, false)),
    BLUEJAY_CLIENT_ID: client.id,
    BLUEJAY_CLIENT_SECRET: client.secret,
    BLUEJAY_ADMIN_EMAIL: adminEmail,
    BLUEJAY_ADMIN_PASSWORD: kept.BLUEJAY_ADMIN_PASSWORD ?? (await makeUser(organizationId, adminEmail, true)),
  };
}

async function makeKey(organizationId: string, mode: Mode): Promise<string> {
  return (await createApiKey({ organizationId, mode, scopes, name: 'demo' }, systemClock.now())).key;
}

/** The new password of the user, who may be there from a start whose `demo.env` is gone. */
async function makeUser(organizationId: string, email: string, isAdmin: boolean): Promise<string> {
  const password = randomBase32(15);
  if (await User.exists({ email })) await setPassword(email, password);
  else await createUser({ organizationId, email, password, isAdmin }, systemClock.now());
  return password;
}

async function makeClient(): Promise<{ id: string; secret: string }> {
  const wanted = { name: 'Bluejay Demo Application', mode: 'test', redirectUris, scopes } as const;
  const { record, secret } = await createClient(wanted, systemClock.now());
  return { id: record._id, secret };
}
