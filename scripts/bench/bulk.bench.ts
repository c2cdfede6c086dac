import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { type ApiClient, createApiClient, uploadFile } from '#scripts/demo/api-client.ts';
import { makeLetterPdf } from '#scripts/demo/letter-pdf.ts';
import tariffs from '#scripts/demo/tariffs.json' with { type: 'json' };
import { type BenchProcess, openBenchService } from './bench-service.ts';
import { makeWorkbook } from './make-workbook.ts';
import { listChildren, print, readMemoryMb, timeMs, watchMost } from './measure.ts';
import { openBenchAccount } from './open-bench-account.ts';
import { printFigure } from './webhooks/webhook-bench.ts';

const database = 'bulk';
const rows = 100_000;
const pages = 2;
const checkWithinMs = 180_000;
/** Sending is measured for this long. The print files of its letters are made beside it, in the same process. */
const sendForMs = 60_000;
const maxCheckS = 30;
const maxMemoryMb = 300;
const minPerS = 500;
const sampleEveryMs = 20;
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type BulkView = { status: string; progress: { sent: number } };

/**
 * Prints how long lists of 100,000 rows in XLSX and CSV take to be checked and priced, with the most memory of the workers
 * and of the process that reads them, and how many rows a second become mail jobs beside rendering. The floor of the
 * check is parsing the same CSV.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const table = makeTable();
  const csv = Buffer.from(table.map((cells) => `${cells.join(',')}\n`).join(''));
  const floorMs = await timeMs(() => parseAlone(csv));
  const service = held.use(await openBenchService());
  const config = await service.openDatabase(database);
  await importTariffs(tariffs);
  const api = await service.startApi(database);
  const workers = await service.startWorkers(database, { LOG_LEVEL: 'error', SANDBOX_STEP_DELAY_S: '3600' });
  const { key } = await openBenchAccount(config, 'test');
  const client = createApiClient({ baseUrl: api.origin, key });
  print(`${rows} rows of five columns, one document of ${pages} pages`);
  printFigure('parsing the CSV alone, s', floorMs / 1_000, 2);

  await check(client, workers, { name: 'XLSX', mimeType: xlsxType, bytes: makeWorkbook(table) });
  const bulkId = await check(client, workers, { name: 'CSV', mimeType: 'text/csv', bytes: csv });
  await send(client, bulkId);
  printFigure('most memory of the workers, MB', readMemoryMb(workers.pid, 'VmHWM'), 0, { atMost: maxMemoryMb });
}

type List = { name: string; mimeType: string; bytes: Buffer };

/** Returns the bulk once its rows are checked. */
async function check(client: ApiClient, { pid }: BenchProcess, list: List): Promise<string> {
  const readChildren = () => Math.max(0, ...listChildren(pid).map((child) => readMemoryMb(child, 'VmHWM')));
  const bulkId = await createBulk(client, list);
  const children = watchMost(readChildren, sampleEveryMs);
  const isReady = async () => (await client.call<BulkView>('GET', `/v1/bulk/${bulkId}`)).status === 'ready';
  const checkMs = await timeMs(() => waitFor(isReady, checkWithinMs));
  const about = `${list.name} of ${(list.bytes.length / 1024 ** 2).toFixed(1)} MiB`;
  printFigure(`${about} checked and priced, s`, checkMs / 1_000, 1, { atMost: maxCheckS });
  printFigure(`${about}, most memory of a document process, MB`, children.stop(), 0, { atMost: maxMemoryMb });
  return bulkId;
}

async function send(client: ApiClient, bulkId: string): Promise<void> {
  await client.call('POST', `/v1/bulk/${bulkId}/confirm`, {});
  const startedAtMs = performance.now();
  const read = () => client.call<BulkView>('GET', `/v1/bulk/${bulkId}`);
  let last = await read();
  await pollUntil(
    async () => {
      last = await read();
      return last.status === 'sent' || performance.now() - startedAtMs >= sendForMs;
    },
    { everyMs: 250, withinMs: 2 * sendForMs },
  );
  const seconds = (performance.now() - startedAtMs) / 1_000;
  printFigure('rows turned into mail jobs, per second', last.progress.sent / seconds, 0, { atLeast: minPerS });
  const rendered = await MailJob.countDocuments({ printFile: { $ne: null } });
  printFigure('print files made meanwhile by the same process, per second', rendered / seconds, 0);
}

function makeTable(): string[][] {
  const letters = Array.from({ length: rows }, (_, n) => [
    `Ada Peeters ${n}`,
    `Rue Haute ${n}`,
    '1000',
    'Bruxelles',
    'BE',
  ]);
  return [['name', 'line1', 'zip', 'city', 'country'], ...letters];
}

async function parseAlone(list: Buffer): Promise<void> {
  const parser = Readable.from([list]).pipe(parse());
  parser.resume();
  await finished(parser);
}

async function createBulk(client: ApiClient, { mimeType, bytes }: List): Promise<string> {
  const letter = { filename: 'letter.pdf', mimeType: 'application/pdf', bytes: await makeLetterPdf(new Date()) };
  const files = [{ s3Key: await uploadFile(client, letter) }];
  const file = { s3Key: await uploadFile(client, { filename: 'list', mimeType, bytes }, '/v1/bulk/uploads') };
  return (await client.call<{ bulkId: string }>('POST', '/v1/bulk', { file, files, serviceType: 'standard' })).bulkId;
}

async function waitFor(isDone: () => Promise<boolean>, withinMs: number): Promise<void> {
  if (!(await pollUntil(isDone, { everyMs: 100, withinMs }))) throw new Error(`Not done within ${withinMs / 1_000} s.`);
}
