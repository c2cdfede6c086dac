import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemClock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import { formatMoment } from '#common/documents/papers/paper-batch.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import type { TimelineEntry } from '#common/mail-jobs/read/timeline.ts';
import type { MailDetail } from '#common/mail-jobs/views/mail-job.view.ts';
import type { MailReceipt } from '#common/mail-jobs/views/mail-receipt.view.ts';
import { formatCents } from '#common/money.ts';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { createLog } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { closeCutoffEarly } from '#common/production/operator/close-cutoff-early.ts';
import { markBatch } from '#common/production/operator/mark-batch.ts';
import { findProvider } from '#common/services.ts';
import { withHints } from '../admin/with-hints.ts';
import { withMongo } from '../program/with-mongo.ts';
import { withRedis } from '../program/with-redis.ts';
import { shorten, terminal } from '../supervisor/terminal.ts';
import { type ApiClient, createApiClient, uploadFile } from './api-client.ts';
import { demoHotFolder } from './demo-hot-folder.ts';
import { beginStory, type Story } from './story.ts';

const letter = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 } as const;
const recipient = { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };
const letterFile = join(import.meta.dirname, '../examples/letter.pdf');
/** Who closes the batch and hands it in, in the audit log. */
const actor = { kind: 'system', id: 'demo' } as const;

const polling = { everyMs: 250, withinMs: 60_000 };

type Demo = { config: Config; api: ApiClient; story: Story };
type Manifest = { itemCount: number; results: { allPrinted: object } };

/**
 * Returns whether the demonstration may send a live letter: only when it goes into the hot folder of `npm start`, where
 * nobody prints it.
 */
export function isPrintedByHotFolder({ dataDir, print: { rules, hotFolder } }: Config): boolean {
  const isOurs = hotFolder !== null && resolve(hotFolder) === demoHotFolder(resolve(dataDir));
  return isOurs && findProvider(letter, rules) === 'hot-folder';
}

/**
 * Sends a live letter to the post office through the hot folder, and prints each step. The demonstration acts as the sender,
 * the operator and the print system. Rejects with an OperatorError that names the failed step.
 */
export async function sendLiveLetter(config: Config, key: string): Promise<void> {
  const api = createApiClient({ baseUrl: `http://localhost:${config.http.port}`, key });
  const demo = { config, api, story: beginStory() };
  const { step, report } = demo.story;
  terminal.print(
    '\nA live letter through the hot folder. No printer is connected: the demonstration reports in its place:\n',
  );
  const mailJobId = await step('Live letter', () => send(demo));
  const { dropAt } = await step('Rendering', () => reach(api, mailJobId, 'rendered'));
  report('Rendered', `for the post office on ${formatMoment(new Date(dropAt))}`);
  if (!(await step('Batch', () => closeBatch(demo, mailJobId, dropAt)))) return;
  const batchId = await step('Batch', () => findBatch(api, mailJobId));
  const manifest = await step('Hot folder', () => showFolder(demo, batchId));
  // Letters that somebody else has sent are not reported as printed and posted.
  if (manifest.itemCount > 1) return;
  await step('Results', () => writeResultFile(demo, batchId, manifest));
  await step('Results', () => reach(api, mailJobId, 'printed'));
  report('Printed', 'the workers have read the result file');
  await step('Post office', () =>
    asOperator(config, (hints) => markBatch(batchId, 'posted', actor, { hints, at: systemClock.now() })),
  );
  await step('Post office', () => reach(api, mailJobId, 'posted'));
  report('Posted', 'in place of an operator, who hands the batch in');
  const steps = await step('Timeline', () => readTimeline(api, mailJobId));
  report('Timeline', steps.map(({ kind }) => kind).join(' > '));
}

async function send({ api, story }: Pick<Demo, 'api' | 'story'>): Promise<string> {
  const bytes = await readFile(letterFile);
  const s3Key = await uploadFile(api, { filename: 'letter.pdf', mimeType: 'application/pdf', bytes });
  const externalId = `demo-live-${new Date().toISOString()}`;
  const body = { ...letter, externalId, recipients: [recipient], files: [{ s3Key }] };
  const { mailJobId, totalCents } = await api.call<MailReceipt>('POST', '/v1/mails', body);
  if (mailJobId === null) throw new Error('the answer names no mail job');
  story.report('Live letter sent', `${mailJobId}, ${formatCents(totalCents)} from the live wallet`);
  return mailJobId;
}

/** Waits for a step of the letter, and returns the letter. */
async function reach(api: ApiClient, mailJobId: string, wanted: TimelineEntry['kind']): Promise<MailDetail> {
  await until(`it is not ${wanted}`, async () => {
    return (await readTimeline(api, mailJobId)).some(({ kind }) => kind === wanted || kind === 'failed');
  });
  const job = await api.call<MailDetail>('GET', `/v1/mails/${mailJobId}`);
  if (job.failure) throw new Error(`the letter failed with ${job.failure.code}: ${job.failure.message}`);
  return job;
}

async function readTimeline(api: ApiClient, mailJobId: string): Promise<TimelineEntry[]> {
  return (await api.call<{ data: TimelineEntry[] }>('GET', `/v1/mails/${mailJobId}/timeline`)).data;
}

/** The next cutoff may be days away. Returns false, with nothing closed, when other live letters wait for it too. */
async function closeBatch({ config, story }: Demo, mailJobId: string, dropAt: string): Promise<boolean> {
  const command = `npm run admin -- batch close --cutoff ${dropAt}`;
  const isClosed = await asOperator(config, async (hints) => {
    const others = { _id: { $ne: mailJobId }, mode: 'live', status: 'queued', dropAt: new Date(dropAt) } as const;
    if (await MailJob.exists(others)) return false;
    await closeCutoffEarly(new Date(dropAt), actor, { hints, at: systemClock.now() });
    return true;
  });
  if (isClosed) story.report('Batch closed early', `as by ${command}`);
  else story.report('Waits for its batch', `with other live letters. To close it now: ${command}`);
  return isClosed;
}

/** Runs what an operator does by a command or in the admin area. */
async function asOperator<Result>(config: Config, work: (hints: Hints) => Promise<Result>): Promise<Result> {
  const log = createLog('demo', 'silent');
  const redis = {
    config,
    log,
    withRedis: <T>(use: Parameters<typeof withRedis<T>>[2]) => withRedis(config.redis, log, use),
  };
  return await withMongo(config.mongo.url, 'bluejay-demo', () => withHints(redis, work));
}

async function findBatch(api: ApiClient, mailJobId: string): Promise<string> {
  await reach(api, mailJobId, 'batched');
  const batched = (await readTimeline(api, mailJobId)).find(({ kind }) => kind === 'batched');
  return String(batched?.detail.batchId);
}

/** Waits until the folder of the batch is there, as a print system does, and prints its files. */
async function showFolder({ config, story }: Demo, batchId: string): Promise<Manifest> {
  const folder = join(config.print.hotFolder ?? '', 'out', batchId);
  await until('the hot folder has no such batch', async () => {
    return await stat(folder).then(
      () => true,
      () => false,
    );
  });
  story.report('Ready for the printer', shorten(folder));
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  for (const path of paths.sort()) {
    const { size } = await stat(join(folder, path));
    terminal.print(`${' '.repeat(35)}${path}, ${(size / 1_000).toFixed(1)} kB`);
  }
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
}

/** Writes the result file that the manifest describes. */
async function writeResultFile({ config, story }: Demo, batchId: string, { results }: Manifest): Promise<void> {
  const path = join(config.print.hotFolder ?? '', 'results', `${batchId}.json`);
  await writeFile(`${path}.tmp`, JSON.stringify(results.allPrinted));
  await rename(`${path}.tmp`, path);
  story.report('Result file written', `${shorten(path)}, as a print system does`);
}

async function until(problem: string, isDone: () => Promise<boolean>): Promise<void> {
  if (await pollUntil(isDone, polling)) return;
  throw new Error(`${problem} after ${polling.withinMs / 1_000} s`);
}
