import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { createApiKey } from '#common/access/api-keys.ts';
import { scopes } from '#common/access/scopes.ts';
import { systemClock } from '#common/clock.ts';
import { readConfig } from '#common/config.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Owner } from '#common/modes.ts';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { importTariffs } from '#common/pricing/tariffs.ts';
import { migrations } from '#common/schema/migrations.ts';
import { createKeyRing } from '#common/secrets.ts';
import type { UploadAddress } from '#common/uploads/upload.schema.ts';
import { openAccount } from '#common/wallet/open-account.ts';
import { topUpWallet } from '#common/wallet/wallets.ts';
import { type ApiClient, createApiClient, putFile } from '#scripts/demo/api-client.ts';
import { makeLetterPdf } from '#scripts/demo/letter-pdf.ts';
import { prepareDatabase } from '#scripts/supervisor/prepare-database.ts';
import type { BenchService } from '../bench-service.ts';
import { externalIdOf, storeJobs } from './store-jobs.ts';

/** A database filled with letters, and an API process that serves it. */
export type StoredReads = {
  name: string;
  /** The API's origin. */
  origin: string;
  databaseUrl: string;
  /** An API key of the organization that owns most of the letters. */
  key: string;
  /** A letter of that organization. */
  mailJobId: string;
  /** The external id of a letter of that organization. */
  externalId: string;
  /** The body of a send request that has succeeded before, so sending it again is a repeat. */
  repeatBody: string;
};

/** State kept for the next run. `shape` is the number of the last migration; a different one rebuilds the letters. */
type Note = Pick<StoredReads, 'key' | 'mailJobId' | 'externalId' | 'repeatBody'> & { stored: number; shape: number };

const organizations = 5;
const address = { name: 'Bo Peeters', line1: 'Kerkstraat 2', line2: null, zip: '9000', city: 'Gent', country: 'BE' };
const letters = [
  { zone: 'NATIONAL', serviceType: 'standard', pages: 2, countries: ['BE'] },
  { zone: 'NATIONAL', serviceType: 'registered', pages: 2, countries: ['BE'] },
  { zone: 'NATIONAL', serviceType: 'prior', pages: 2, color: true, countries: ['BE', 'BE', 'BE'] },
  { zone: 'INTERNATIONAL', serviceType: 'standard', pages: 2, countries: ['FR'] },
  { zone: 'INTERNATIONAL', serviceType: 'registered', pages: 2, countries: ['NL', 'DE'] },
] as const;

/** Prepares a database with `count` letters, reusing those of an earlier run, and starts an API process on it. */
export async function prepareReads(
  service: BenchService,
  { name, count, dataDir }: { name: string; count: number; dataDir: string },
): Promise<StoredReads> {
  const databaseUrl = service.databaseUrl(name);
  const noteFile = join(dataDir, `${name}.json`);
  const note = await readNote(noteFile);
  await prepareDatabase(databaseUrl);
  const shape = migrations.at(-1)?.number ?? 0;
  const hasAll = note?.stored === count && note.shape === shape && (await countJobs(databaseUrl)) >= count;
  if (hasAll && note) return { name, databaseUrl, origin: await service.startApi(name, databaseUrl), ...note };

  await emptyDatabase(databaseUrl);
  await prepareDatabase(databaseUrl);
  const origin = await service.startApi(name, databaseUrl);
  const made = await fill({ ...service.environment, MONGODB_URI: databaseUrl }, origin, count);
  await writeFile(noteFile, JSON.stringify({ ...made, stored: count, shape } satisfies Note), { mode: 0o600 });
  return { name, databaseUrl, origin, ...made };
}

async function fill(
  environment: Record<string, string>,
  origin: string,
  count: number,
): Promise<Omit<Note, 'stored' | 'shape'>> {
  const keyRing = createKeyRing(readConfig(environment).encryptionKeys);
  const at = systemClock.now();
  await connectMongo(environment.MONGODB_URI ?? '', 'bluejay-bench');
  try {
    await importTariffs(JSON.parse(await readFile(join(import.meta.dirname, '../../demo/tariffs.json'), 'utf8')));
    const owners: Owner[] = [];
    for (let n = 1; n <= organizations; n += 1) {
      const { _id: organizationId } = await openAccount({ name: `Bench ${n}`, address }, keyRing, at);
      owners.push({ organizationId, mode: 'test' });
    }
    const [bulk] = owners as [Owner];
    await topUpWallet(bulk, 10_000_000, 'benchmark', at);
    const { key } = await createApiKey({ ...bulk, scopes }, at);
    const requests = await sendLetters(createApiClient({ baseUrl: origin, key }));
    const templates = await MailJob.find().sort({ _id: 1 }).lean<MailJobRecord[]>();
    const [first] = templates as [MailJobRecord];

    const startMs = performance.now();
    const endsAt = templates.at(0)?.createdAt ?? at;
    await storeJobs({ templates, owners, endsAt, count, report: (stored) => progress(stored, count) });
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    print(`\n${count.toLocaleString('en')} letters stored in ${seconds} s, with their indexes\n`);
    // An index from the middle of the list whose letter has an external id.
    const externalId = externalIdOf(Math.floor(count / 20) * 10 + 1);
    return { key, mailJobId: first._id, externalId, repeatBody: JSON.stringify(requests[0]) };
  } finally {
    await disconnectMongo();
  }
}

/** Sends one letter of each kind through the API. They are the templates of the stored copies. */
async function sendLetters(api: ApiClient): Promise<unknown[]> {
  const pdf = await makeLetterPdf({ addressLines: [address.name], writtenOn: systemClock.now() });
  const wanted = { filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes: pdf.length };
  const { s3Key, uploadUrl, headers } = await api.call<UploadAddress>('POST', '/v1/uploads', wanted);
  await putFile(uploadUrl, headers, pdf);
  const requests = letters.map(({ countries, ...letter }, n) => ({
    ...letter,
    externalId: `template-${n}`,
    recipients: countries.map((country) => ({ ...address, country })),
    files: [{ s3Key }],
  }));
  for (const request of requests) await api.call('POST', '/v1/mails', request);
  return requests;
}

async function countJobs(databaseUrl: string): Promise<number> {
  await connectMongo(databaseUrl, 'bluejay-bench');
  try {
    return await MailJob.estimatedDocumentCount();
  } finally {
    await disconnectMongo();
  }
}

async function emptyDatabase(databaseUrl: string): Promise<void> {
  await connectMongo(databaseUrl, 'bluejay-bench');
  try {
    await mongoose.connection.dropDatabase();
  } finally {
    await disconnectMongo();
  }
}

async function readNote(file: string): Promise<Note | undefined> {
  return await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Note,
    () => undefined,
  );
}

function progress(stored: number, count: number): void {
  if (stored % 100_000 === 0 || stored === count) print(`  ${Math.round((stored / count) * 100)} %`);
}

function print(text: string): void {
  process.stderr.write(text);
}
