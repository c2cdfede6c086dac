import { randomUUID } from 'node:crypto';
import { plusMs, systemClock } from '../../common/clock.ts';
import { connectMongo, disconnectMongo } from '../../common/platform/mongo.ts';
import type { UploadAddress } from '../../common/uploads/upload.schema.ts';
import { topUpWallet } from '../../common/wallet/wallets.ts';
import { type ApiClient, createApiClient, putFile } from '../demo/api-client.ts';
import { readDemoEnvironment } from '../demo/demo-environment.ts';
import { makeLetterPdf } from '../demo/letter-pdf.ts';
import { OperatorError } from '../operator-error.ts';

/** What the generated requests may name: without these, nearly all of them would end at an id that nobody has. */
export type ContractSeed = {
  baseUrl: string;
  /** A test key with all scopes. */
  key: string;
  /** Values by the name of the dictionary that `schemathesis.toml` asks for. */
  dictionaries: Record<string, string[]>;
};

/** Enough of each that those which a request deletes or ends leave others. */
const copies = 8;
const walletCents = 100_000_000;
const letterFile = { filename: 'letter.pdf', mimeType: 'application/pdf', pages: 2 } as const;
const targetUrl = 'https://127.0.0.1/hook';
const address = { name: 'Bo Peeters', line1: 'Kerkstraat 2', zip: '9000', city: 'Gent', country: 'BE' };

/** Fills the demonstration's organization through the API itself: money, uploads that are in the store, one of each id. */
export async function seedContract(environment: Record<string, string>, dataDir: string): Promise<ContractSeed> {
  const demo = await readDemoEnvironment(dataDir);
  const { BLUEJAY_URL: baseUrl, BLUEJAY_TEST_KEY: key, BLUEJAY_ORG: organizationId } = demo;
  if (!baseUrl || !key || !organizationId) throw new OperatorError(`There is no demonstration account in ${dataDir}.`);
  await fillWallet(environment.MONGODB_URI ?? '', organizationId);

  const api = createApiClient({ baseUrl, key });
  const pdf = await makeLetterPdf({ addressLines: [address.name], writtenOn: systemClock.now() });
  const s3Keys = await collect(() => upload(api, pdf));
  const mailJobIds = await collect(async () => {
    const letter = { zone: 'NATIONAL', serviceType: 'registered', pages: letterFile.pages, externalId: randomUUID() };
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
  const inDays = (days: number) => plusMs(systemClock.now(), days * 24 * 60 * 60 * 1000).toISOString();
  const files = {
    s3Keys,
    filenames: [letterFile.filename],
    mimeTypes: [letterFile.mimeType],
  };
  const application = {
    clientIds: [demo.BLUEJAY_CLIENT_ID ?? ''],
    clientSecrets: [demo.BLUEJAY_CLIENT_SECRET ?? ''],
  };
  const others = { dropTimes: [inDays(10)], recentTimes: [inDays(-1)], targetUrls: [targetUrl] };
  return { baseUrl, key, dictionaries: { ...files, ...application, ...others, mailJobIds, addressIds, webhookIds } };
}

/** All that a run sends is to be paid: an empty wallet would hide what comes after the debit. */
async function fillWallet(mongoUrl: string, organizationId: string): Promise<void> {
  await connectMongo(mongoUrl, 'bluejay-test-contract');
  try {
    await topUpWallet({ organizationId, mode: 'test' }, walletCents, 'contract test', systemClock.now());
  } finally {
    await disconnectMongo();
  }
}

async function upload(api: ApiClient, pdf: Uint8Array): Promise<string> {
  const { filename, mimeType } = letterFile;
  const wanted = { filename, mimeType, sizeBytes: pdf.length };
  const { s3Key, uploadUrl, headers } = await api.call<UploadAddress>('POST', '/v1/uploads', wanted);
  await putFile(uploadUrl, headers, pdf);
  return s3Key;
}

async function collect(make: () => Promise<string>): Promise<string[]> {
  const values: string[] = [];
  for (let copy = 0; copy < copies; copy += 1) values.push(await make());
  return values;
}
