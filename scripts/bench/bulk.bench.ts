import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { importTariffs } from '#common/pricing/tariffs.ts';
import { type ApiClient, createApiClient, uploadFile } from '#scripts/demo/api-client.ts';
import { makeLetterPdf } from '#scripts/demo/letter-pdf.ts';
import tariffs from '#scripts/demo/tariffs.json' with { type: 'json' };
import { pollUntil } from '#scripts/program/poll-until.ts';
import { openBenchService } from './bench-service.ts';
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

type BulkView = { state: string; rows: { total: number; valid: number }; progress: { sent: number } };

/**
 * Prints how long a list of 100,000 rows takes to be checked and priced, with the most memory of the workers and of the
 * process that reads it, and how many rows a second become mail jobs. The floor of the check is parsing the same bytes.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const list = makeList();
  const floorMs = await timeMs(() => parseAlone(list));
  const service = held.use(await openBenchService());
  const config = await service.openDatabase(database);
  await importTariffs(tariffs);
  const api = await service.startApi(database);
  const workers = await service.startWorkers(database, { LOG_LEVEL: 'error', SANDBOX_STEP_DELAY_S: '3600' });
  const { key } = await openBenchAccount(config, 'test');
  const client = createApiClient({ baseUrl: api.origin, key });
  const children = watchMost(
    () => Math.max(0, ...listChildren(workers.pid).map((pid) => readMemoryMb(pid, 'VmHWM'))),
    sampleEveryMs,
  );
  print(
    `${rows} rows of five columns, ${(list.length / 1024 ** 2).toFixed(1)} MiB of CSV, one document of ${pages} pages`,
  );

  const bulkId = await createBulk(client, list);
  const read = () => client.call<BulkView>('GET', `/v1/bulk/${bulkId}`);
  const checkMs = await timeMs(() => waitFor(async () => (await read()).state === 'ready', checkWithinMs));
  printFigure('checked and priced, s', checkMs / 1_000, 1, { atMost: maxCheckS });
  printFigure('parsing the list alone, s', floorMs / 1_000, 2);
  printFigure('most memory of the workers, MB', readMemoryMb(workers.pid, 'VmHWM'), 0, { atMost: maxMemoryMb });
  printFigure('most memory of a document process, MB', children.stop(), 0, { atMost: maxMemoryMb });

  await client.call('POST', `/v1/bulk/${bulkId}/confirm`, {});
  const startedAtMs = performance.now();
  let last = await read();
  await pollUntil(
    async () => {
      last = await read();
      return last.state === 'sent' || performance.now() - startedAtMs >= sendForMs;
    },
    { everyMs: 250, withinMs: 2 * sendForMs },
  );
  const perS = last.progress.sent / ((performance.now() - startedAtMs) / 1_000);
  printFigure('rows turned into mail jobs, per second', perS, 0, { atLeast: minPerS });
  print(`  ${last.progress.sent} rows, with their print files made in the same process`);
}

function makeList(): Buffer {
  const lines = Array.from({ length: rows }, (_, n) => `Ada Peeters ${n},Rue Haute ${n},1000,Bruxelles,BE`);
  return Buffer.from(['name,line1,zip,city,country', ...lines, ''].join('\n'));
}

async function parseAlone(list: Buffer): Promise<void> {
  const parser = Readable.from([list]).pipe(parse());
  parser.resume();
  await finished(parser);
}

async function createBulk(client: ApiClient, list: Buffer): Promise<string> {
  const letter = { filename: 'letter.pdf', mimeType: 'application/pdf', bytes: await makeLetterPdf(new Date()) };
  const files = [{ s3Key: await uploadFile(client, letter) }];
  const table = { filename: 'list.csv', mimeType: 'text/csv', bytes: list };
  const file = { s3Key: await uploadFile(client, table, '/v1/bulk/uploads') };
  return (await client.call<{ bulkId: string }>('POST', '/v1/bulk', { file, files, serviceType: 'standard' })).bulkId;
}

async function waitFor(isDone: () => Promise<boolean>, withinMs: number): Promise<void> {
  if (!(await pollUntil(isDone, { everyMs: 100, withinMs }))) throw new Error(`Not done within ${withinMs / 1_000} s.`);
}
