import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { createApiClient, uploadFile } from '#scripts/demo/api-client.ts';
import tariffs from '#scripts/demo/tariffs.json' with { type: 'json' };
import { type BenchProcess, openBenchService } from './bench-service.ts';
import { median, print, putUnderLoad } from './measure.ts';
import { benchAddress } from './open-bench-account.ts';
import { readTreeCpu } from './process-cpu.ts';
import { openCustomer, printFigure } from './webhooks/webhook-bench.ts';
import { startWebhookReceivers } from './webhooks/webhook-receivers.ts';

const database = 'documents';
const customerCount = 10;
/** A letter waits seconds for its sandbox steps and for the scanner between them: fewer would leave the service idle. */
const inFlight = 320;
/** Processes compile their code during the first hundreds of letters: a letter costs a fifth more then. */
const warmUps = 700;
const rounds = 3;
const perRound = 300;
/** Letters started before the last round ends. */
const letterCount = inFlight + warmUps + rounds * perRound;
const roundWithinMs = 240_000;
/** The shortest delay that can be configured. */
const variables = { LOG_LEVEL: 'error', WEBHOOK_ALLOW_LOOPBACK: 'true', SANDBOX_STEP_DELAY_S: '1' };
const events = ['MAIL_QUEUED' as const, 'MAIL_PRINTED' as const, 'MAIL_POSTED' as const];
const floorProgram = join(import.meta.dirname, 'bare-rebuild.ts');
const floorProcesses = 5;
const floorFiles = 200;
/** Letters per second times the CPU seconds of rebuilding their page in a warm process. */
const minRatio = 0.1;

/** One round: its letters per second, and the CPU milliseconds of each process per letter. */
type Round = { perS: number; cpuMs: number[] };

/**
 * Prints letters per second and CPU per letter, end to end: upload of an own page, create, render, printed, posted, and
 * a webhook for each of the three statuses. The floor is the CPU time of rebuilding such a page in a warm process.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const pages = await makePages(letterCount);
  const temporary = held.use(await mkdtempDisposable(join(tmpdir(), 'bluejay-bench-documents-')));
  const floorMs = await measureRebuild(pages, temporary.path);
  const letters = trackLetters();
  const receivers = held.use(await startWebhookReceivers(letters.take));
  const service = held.use(await openBenchService());
  const config = await service.openDatabase(database);
  await importTariffs(tariffs);
  const api = await service.startApi(database, variables);
  const workers = await service.startWorkers(database, variables);
  const names = Array.from({ length: customerCount }, (_, index) => `customer-${index}`);
  const customers = await Promise.all(names.map((name) => openCustomer({ config, receivers }, name, events)));
  const clients = customers.map(({ key }) => createApiClient({ baseUrl: api.origin, key }));
  const send = async (n: number): Promise<void> => {
    const [client, bytes] = [clients[n % customerCount], pages[n]];
    if (!client || !bytes) return await new Promise(() => {});
    const s3Key = await uploadFile(client, { filename: 'letter.pdf', mimeType: 'application/pdf', bytes });
    const { mailJobId } = await client.call<{ mailJobId: string }>('POST', '/v1/mails', letterOf(s3Key));
    await letters.isReported(mailJobId);
  };

  const measured = [{ ...api, name: 'API' }, { ...workers, name: 'workers' }, ...service.stores];
  const measuring = measureRounds(() => letters.count(), measured);
  // The load lasts until the end of this process: after the rounds, nothing waits for its letters.
  const results = await Promise.race([measuring, putUnderLoad(send, { inFlight, forMs: Number.POSITIVE_INFINITY })]);
  if (Array.isArray(results)) report(results, [...measured.map(({ name }) => name), 'document processes'], floorMs);
}

const letterOf = (s3Key: string) => ({
  zone: 'NATIONAL',
  serviceType: 'standard',
  pages: 1,
  recipients: [benchAddress],
  files: [{ s3Key }],
});

/** Counts the letters whose three events have arrived. */
function trackLetters() {
  const reported = new Map<string, Set<string>>();
  const waiting = new Map<string, () => void>();
  let count = 0;
  return {
    take(request: string): void {
      const { mailJobId, event } = JSON.parse(request.slice(request.indexOf('\r\n\r\n') + 4));
      const seen = reported.get(mailJobId) ?? new Set();
      if (seen.has(event)) return;
      reported.set(mailJobId, seen.add(event));
      if (seen.size < events.length) return;
      count += 1;
      waiting.get(mailJobId)?.();
    },
    count: () => count,
    async isReported(mailJobId: string): Promise<void> {
      if (reported.get(mailJobId)?.size === events.length) return;
      await new Promise<void>((resolve) => waiting.set(mailJobId, resolve));
    },
  };
}

/** Measures rounds of a running load. Each letter that ends starts another one, so the load is the same in all. */
async function measureRounds(readCount: () => number, measured: readonly BenchProcess[]): Promise<Round[]> {
  const untilCount = async (count: number) => {
    const isDone = () => readCount() >= count;
    if (await pollUntil(isDone, { everyMs: 5, withinMs: roundWithinMs })) return;
    throw new Error(`Only ${readCount()} letters were posted within ${roundWithinMs / 1_000} s.`);
  };
  const read = () => {
    const trees = measured.map(({ pid }) => readTreeCpu(pid));
    const childrenMs = trees.reduce((sum, tree) => sum + tree.childrenMs, 0);
    return { count: readCount(), atMs: performance.now(), cpuMs: [...trees.map(({ ownMs }) => ownMs), childrenMs] };
  };
  const results: Round[] = [];
  await untilCount(warmUps);
  for (let before = read(); results.length < rounds; ) {
    await untilCount(before.count + perRound);
    const after = read();
    const count = after.count - before.count;
    const cpuMs = after.cpuMs.map((ms, index) => (ms - (before.cpuMs[index] ?? 0)) / count);
    results.push({ perS: (count / (after.atMs - before.atMs)) * 1_000, cpuMs });
    before = after;
  }
  return results;
}

function report(results: readonly Round[], names: readonly string[], floorMs: readonly number[]): void {
  const perS = results.map((round) => round.perS);
  const cpuMs = results.map((round) => round.cpuMs.reduce((sum, ms) => sum + ms, 0));
  const each = names.map(
    (name, index) => `${name} ${median(results.map((round) => round.cpuMs[index] ?? 0)).toFixed(1)}`,
  );
  const ratios = perS.map((rate) => (rate * median(floorMs)) / 1_000);
  print(`${customerCount} customers, ${inFlight} letters in flight, ${rounds} rounds of ${perRound} letters`);
  printFigure('letters end to end, per second', median(perS), 1);
  print(`  spread ${spread(perS, 1)}`);
  printFigure('CPU ms of a letter, all processes', median(cpuMs), 1);
  print(`  spread ${spread(cpuMs, 1)}`);
  print(`  of which ${each.join(', ')}`);
  printFigure('rebuilding its page in a warm process, CPU ms', median(floorMs), 2);
  print(`  spread ${spread(floorMs, 2)}`);
  printFigure('letters per second x CPU s of a rebuild', median(ratios), 3, { atLeast: minRatio });
}

const spread = (values: readonly number[], digits: number) =>
  `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`;

/** Returns the CPU milliseconds of a rebuild in each of several processes, which differ more than rounds of one. */
async function measureRebuild(pages: readonly Uint8Array[], folder: string): Promise<number[]> {
  const files = pages.slice(0, floorFiles).entries();
  for (const [index, bytes] of files) await writeFile(join(folder, `letter-${index}.pdf`), bytes);
  const results: number[] = [];
  for (let started = 0; started < floorProcesses; started += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, [floorProgram, folder]);
    results.push(Number(stdout));
  }
  return results;
}

/** Makes letters of one page, each with its own words. */
async function makePages(count: number): Promise<Uint8Array[]> {
  const made: Uint8Array[] = [];
  for (let letter = 1; letter <= count; letter += 1) {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const page = document.addPage([595.28, 841.89]);
    for (let line = 1; line <= 30; line += 1) {
      const text = `Letter ${letter}, line ${line}: the quick brown fox jumps over the lazy dog`;
      page.drawText(text, { x: 60, y: 620 - line * 17, size: 11, font });
    }
    made.push(await document.save());
  }
  return made;
}
