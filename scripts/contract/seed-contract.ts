import { randomUUID } from 'node:crypto';
import { plusMs, systemClock } from '#common/clock.ts';
import { inParallel } from '#common/platform/concurrency/in-parallel.ts';
import { topUpWallet } from '#common/wallet/wallets.ts';
import { createApiClient, uploadFile } from '../demo/api-client.ts';
import { readDemoEnvironment } from '../demo/demo-environment.ts';
import { makeLetterPdf } from '../demo/letter-pdf.ts';
import { OperatorError } from '../program/operator-error.ts';
import { withMongo } from '../program/with-mongo.ts';

/** Existing ids for the generated requests. Without them, nearly all requests would be answered 404. */
export type ContractSeed = {
  baseUrl: string;
  /** A test key with all scopes. */
  key: string;
  /** Values by the name of their dictionary in `schemathesis.toml`. */
  dictionaries: Record<string, string[]>;
};

/** Several of each kind, because requests delete some of them. */
const copies = 8;
const walletCents = 100_000_000;
const letterFile = { filename: 'letter.pdf', mimeType: 'application/pdf' } as const;
const listFile = { filename: 'members.csv', mimeType: 'text/csv' } as const;
const pages = 2;
const targetUrl = 'https://127.0.0.1/hook';
const address = { name: 'Bo Peeters', line1: 'Kerkstraat 2', zip: '9000', city: 'Gent', country: 'BE' };

/** Fills the demo organization with money and, through the API, with uploads, letters, lists, addresses and webhooks. */
export async function seedContract(environment: Record<string, string>, dataDir: string): Promise<ContractSeed> {
  const demo = await readDemoEnvironment(dataDir);
  const { BLUEJAY_URL: baseUrl, BLUEJAY_TEST_KEY: key, BLUEJAY_ORG: organizationId } = demo;
  if (!baseUrl || !key || !organizationId) throw new OperatorError(`There is no demo account in ${dataDir}.`);
  // For the whole run: an empty wallet would hide errors after the debit.
  await withMongo(environment.MONGODB_URI ?? '', 'bluejay-test-contract', () =>
    topUpWallet({ organizationId, mode: 'test' }, walletCents, 'contract test', systemClock.now()),
  );

  const api = createApiClient({ baseUrl, key });
  const bytes = await makeLetterPdf(systemClock.now());
  const s3Keys = await collect(() => uploadFile(api, { ...letterFile, bytes }));
  const mailJobIds = await collect(async () => {
    const letter = { zone: 'NATIONAL', serviceType: 'registered', pages, externalId: randomUUID() };
    const body = { ...letter, recipients: [address], files: [{ s3Key: s3Keys[0] }] };
    return (await api.call<{ mailJobId: string }>('POST', '/v1/mails', body)).mailJobId;
  });
  const addressIds = await collect(async () => {
    const entry = { kind: 'RECIPIENT', ...address };
    return (await api.call<{ id: string }>('POST', '/v1/addresses', entry)).id;
  });
  const webhookIds = await collect(async () => {
    const webhook = { url: targetUrl, events: ['MAIL_FAILED'] };
    return (await api.call<{ id: string }>('POST', '/v1/webhooks', webhook)).id;
  });
  const templateIds = await collect(async () => {
    const template = { name: 'Reminder', language: 'en', text: 'Dear ((name)), ((late??hurry!))' };
    return (await api.call<{ templateId: string }>('POST', '/v1/templates', template)).templateId;
  });
  const list = Buffer.from(`name,line1,zip,city,country\n${Object.values(address).join(',')}\n`);
  const listKeys = await collect(() => uploadFile(api, { ...listFile, bytes: list }, '/v1/bulk/uploads'));
  const bulkIds = await collect(async () => {
    const bulk = { file: { s3Key: listKeys[0] }, files: [{ s3Key: s3Keys[0] }], serviceType: 'standard' };
    return (await api.call<{ bulkId: string }>('POST', '/v1/bulk', bulk)).bulkId;
  });
  const clockIds = await collect(async () => {
    const clock = { now: systemClock.now().toISOString() };
    return (await api.call<{ clockId: string }>('POST', '/v1/sandbox/clocks', clock)).clockId;
  });
  const inDays = (days: number) => plusMs(systemClock.now(), days * 24 * 60 * 60 * 1000).toISOString();
  const files = { s3Keys, listKeys, filenames: [letterFile.filename], mimeTypes: [letterFile.mimeType] };
  const application = {
    clientIds: [demo.BLUEJAY_CLIENT_ID ?? ''],
    clientSecrets: [demo.BLUEJAY_CLIENT_SECRET ?? ''],
  };
  const others = { dropTimes: [inDays(10)], recentTimes: [inDays(-1)], targetUrls: [targetUrl] };
  const ids = { mailJobIds, addressIds, webhookIds, templateIds, bulkIds, clockIds };
  return { baseUrl, key, dictionaries: { ...files, ...application, ...others, ...ids } };
}

async function collect(make: () => Promise<string>): Promise<string[]> {
  return await inParallel(Array.from({ length: copies }), make, 1);
}
