import { createApiKey } from '#common/access/api-keys.ts';
import { scopes } from '#common/access/scopes.ts';
import { systemClock } from '#common/clock.ts';
import { readConfig } from '#common/config/config.ts';
import { type Mode, modes, type Owner } from '#common/modes.ts';
import { createClient } from '#common/oauth/clients/create-client.ts';
import { decryptJobWebhookSecrets } from '#common/organizations/create-organization.ts';
import { createUser } from '#common/organizations/create-user.ts';
import { Organization, type OrganizationRecord } from '#common/organizations/organization.model.ts';
import { commandAddress } from '#common/organizations/password.ts';
import { setPassword } from '#common/organizations/set-password.ts';
import { User } from '#common/organizations/user.model.ts';
import { migrate } from '#common/platform/mongo/migrate.ts';
import { createLog } from '#common/platform/process/log.ts';
import { importTariffs, listTariffs } from '#common/pricing/manage-tariffs.ts';
import { migrations } from '#common/schema/migrations.ts';
import { createKeyRing, type KeyRing, randomBase32 } from '#common/secrets.ts';
import { openAccount } from '#common/wallet/open-account.ts';
import { readWallet, topUpWallet } from '#common/wallet/wallets.ts';
import { type DemoEnvironment, readDemoEnvironment, writeDemoEnvironment } from './demo/demo-environment.ts';
import tariffs from './demo/tariffs.json' with { type: 'json' };
import { withMongo } from './program/with-mongo.ts';

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
/** The redirect URI of the demo application. */
const redirectUris = ['http://127.0.0.1:8080/callback'];
/** Each start pays for one demo letter in each mode. A balance below `belowCents` is refilled to `cents`. */
const refill = { belowCents: 5_000, cents: 100_000 };

/**
 * Prepares the database of an `npm start`: migrations, a demo organization with its credentials, and `demo.env`. Keeps
 * what an earlier start has created. Recreates secrets missing from `demo.env`, because they cannot be shown again.
 * Safe to interrupt: the next start completes it.
 */
export async function seedDemo(environment: Record<string, string>, dataDir: string): Promise<void> {
  const config = readConfig(environment);
  const keyRing = createKeyRing(config.encryptionKeys);
  await withMongo(config.mongo.url, 'bluejay-seed', async () => {
    // Silent, because failures reject and successful migrations need no log at every start.
    await migrate(migrations, systemClock, createLog('seed', 'silent'));
    const shown = await readDemoEnvironment(dataDir);
    const organization = await ensureOrganization(shown.BLUEJAY_ORG, keyRing);
    // The secrets in `demo.env` are useless when they belong to an organization of another database.
    const kept = organization._id === shown.BLUEJAY_ORG ? shown : {};
    for (const mode of modes) await refillWallet({ organizationId: organization._id, mode });
    await writeDemoEnvironment(dataDir, {
      BLUEJAY_URL: config.http.baseUrl,
      BLUEJAY_AUTH_URL: config.http.authUrl,
      BLUEJAY_METRICS_URL: `http://localhost:${config.http.metricsPort}`,
      // The port after the API's, as for every first process of the workers.
      BLUEJAY_WORKERS_METRICS_URL: `http://localhost:${config.http.metricsPort + 1}`,
      BLUEJAY_ORG: organization._id,
      BLUEJAY_JOB_WEBHOOK_SECRET: decryptJobWebhookSecrets(organization, keyRing).test,
      ...(await ensureCredentials(organization._id, kept)),
    });
  });
}

/** Returns the demo organization, creating it if needed. Imports tariffs first, so an organization implies tariffs. */
async function ensureOrganization(shownId: string | undefined, keyRing: KeyRing): Promise<OrganizationRecord> {
  const known =
    (shownId && (await Organization.findById(shownId).lean<OrganizationRecord>())) ||
    // The oldest of this name is the demo organization, because it is created before any other can be.
    (await Organization.findOne({ name: organizationName }).sort({ _id: 1 }).lean<OrganizationRecord>());
  if (known) return known;
  if ((await listTariffs()).length === 0) await importTariffs(tariffs);

  return await openAccount({ name: organizationName, address: organizationAddress }, keyRing, systemClock.now());
}

async function refillWallet(owner: Owner): Promise<void> {
  const { balanceCents, seq } = await readWallet(owner);
  if (balanceCents >= refill.belowCents) return;
  // The reference contains the wallet's `seq`, so an interrupted and repeated start refills it once.
  await topUpWallet(owner, refill.cents - balanceCents, `demo refill after entry ${seq}`, systemClock.now());
}

async function ensureCredentials(organizationId: string, kept: Partial<DemoEnvironment>) {
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

/** Sets a new password and returns it. The user may exist from a start whose `demo.env` was lost. */
async function makeUser(organizationId: string, email: string, isAdmin: boolean): Promise<string> {
  const password = randomBase32(15);
  if (await User.exists({ email })) await setPassword(email, password);
  else await createUser({ organizationId, email, password, isAdmin, address: commandAddress }, systemClock.now());
  return password;
}

async function makeClient(): Promise<{ id: string; secret: string }> {
  const wanted = { name: 'Bluejay Demo Application', mode: 'test', redirectUris, scopes } as const;
  const { record, secret } = await createClient(wanted, systemClock.now());
  return { id: record._id, secret };
}
