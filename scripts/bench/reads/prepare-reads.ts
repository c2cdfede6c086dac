import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { systemClock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { migrations } from '#common/schema/migrations.ts';
import { type ApiClient, createApiClient, uploadFile } from '#scripts/demo/api-client.ts';
import { makeLetterPdf } from '#scripts/demo/letter-pdf.ts';
import tariffs from '#scripts/demo/tariffs.json' with { type: 'json' };
import type { BenchService } from '../bench-service.ts';
import { type BenchAccount, benchAddress, openBenchAccount } from '../open-bench-account.ts';
import { externalIdOf, storeJobs } from './store-jobs.ts';

/** A database filled with letters, and an API process that serves it. */
export type StoredReads = {
  /** The API's origin. */
  origin: string;
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
const letters = [
  { zone: 'NATIONAL', serviceType: 'standard', pages: 2, countries: ['BE'] },
  { zone: 'NATIONAL', serviceType: 'registered', pages: 2, countries: ['BE'] },
  { zone: 'NATIONAL', serviceType: 'prior', pages: 2, color: true, countries: ['BE', 'BE', 'BE'] },
  { zone: 'INTERNATIONAL', serviceType: 'standard', pages: 2, countries: ['FR'] },
  { zone: 'INTERNATIONAL', serviceType: 'registered', pages: 2, countries: ['NL', 'DE'] },
] as const;

/**
 * Prepares a database with `count` letters, reusing those of an earlier run, and starts an API process on it. This
 * process stays connected to the database.
 */
export async function prepareReads(
  service: BenchService,
  { name, count, dataDir }: { name: string; count: number; dataDir: string },
): Promise<StoredReads> {
  const noteFile = join(dataDir, `${name}.json`);
  const note = await readNote(noteFile);
  let config = await service.openDatabase(name);
  const shape = migrations.at(-1)?.number ?? 0;
  const isKept = note?.stored === count && note.shape === shape && (await MailJob.estimatedDocumentCount()) >= count;
  if (!isKept) {
    await mongoose.connection.dropDatabase();
    config = await service.openDatabase(name);
  }
  const { origin } = await service.startApi(name);
  if (note && isKept) return { origin, ...note };
  const made = await fill(config, origin, count);
  await writeFile(noteFile, JSON.stringify({ ...made, stored: count, shape } satisfies Note), { mode: 0o600 });
  return { origin, ...made };
}

async function fill(config: Config, origin: string, count: number): Promise<Omit<Note, 'stored' | 'shape'>> {
  const at = systemClock.now();
  await importTariffs(tariffs);
  const accounts: BenchAccount[] = [];
  for (let n = 0; n < organizations; n += 1) accounts.push(await openBenchAccount(config, 'test', { at }));
  const key = accounts[0]?.key ?? '';
  const requests = await sendLetters(createApiClient({ baseUrl: origin, key }));
  const templates = await MailJob.find().sort({ _id: 1 }).lean<MailJobRecord[]>();
  const [first] = templates as [MailJobRecord];

  const startMs = performance.now();
  const owners = accounts.map(({ owner }) => owner);
  await storeJobs({ templates, owners, endsAt: first.createdAt, count, report: (stored) => progress(stored, count) });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  say(`\n${count.toLocaleString('en')} letters stored in ${seconds} s, with their indexes\n`);
  // An index from the middle of the list whose letter has an external id.
  const externalId = externalIdOf(Math.floor(count / 20) * 10 + 1);
  return { key, mailJobId: first._id, externalId, repeatBody: JSON.stringify(requests[0]) };
}

/** Sends one letter of each kind through the API. They are the templates of the stored copies. */
async function sendLetters(api: ApiClient): Promise<unknown[]> {
  const pdf = await makeLetterPdf(systemClock.now());
  const s3Key = await uploadFile(api, { filename: 'letter.pdf', mimeType: 'application/pdf', bytes: pdf });
  const requests = letters.map(({ countries, ...letter }, n) => ({
    ...letter,
    externalId: `template-${n}`,
    recipients: countries.map((country) => ({ ...benchAddress, country })),
    files: [{ s3Key }],
  }));
  for (const request of requests) await api.call('POST', '/v1/mails', request);
  return requests;
}

async function readNote(file: string): Promise<Note | undefined> {
  return await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Note,
    () => undefined,
  );
}

function progress(stored: number, count: number): void {
  if (stored % 100_000 === 0 || stored === count) say(`  ${Math.round((stored / count) * 100)} %`);
}

function say(text: string): void {
  process.stderr.write(text);
}
