import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTypesettingPool } from '#common/documents/typesetting/typesetting-pool.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { createLog } from '#common/platform/process/log.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { createApiClient } from '#scripts/demo/api-client.ts';
import tariffs from '#scripts/demo/tariffs.json' with { type: 'json' };
import { openBenchService } from '../bench-service.ts';
import { median, print, putUnderLoad, timeMs } from '../measure.ts';
import { benchAddress, openBenchAccount } from '../open-bench-account.ts';
import { printFigure } from '../webhooks/webhook-bench.ts';
import { benchText, benchVariables, makeLetters } from './bench-letters.ts';

const letterCount = 1_000;
const rounds = 3;
const perRound = 200;
const inFlight = 32;
/** Wall time of 1,000 letters of one page with their print files, on 2 cores. */
const maxSeconds = 60;
/** Letters per second of one fenced process against those of the bare compiler. */
const minRatio = 0.6;
const printedWithinMs = 240_000;
const floorProgram = join(import.meta.dirname, 'bare-typeset.ts');

/** Prints how fast letters are typeset, beside the bare compiler, and letters of a template end to end. */
export async function run(held: AsyncDisposableStack): Promise<void> {
  await compareTypesetting();
  await sendLetters(held);
}

/** One process of ours against the bare compiler, by turns. */
async function compareTypesetting(): Promise<void> {
  const pool = createTypesettingPool({ sharing: 'everyone', log: createLog('bench', 'silent'), maxChildren: 1 });
  const letters = makeLetters(perRound);
  const signal = AbortSignal.timeout(600_000);
  const { ours, floor } = { ours: [] as number[], floor: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const ms = await timeMs(() => Promise.all(letters.map((letter) => pool.typeset(letter, 'bench', signal))));
    ours.push(ms / perRound);
    const { stdout } = await promisify(execFile)(process.execPath, [floorProgram, String(perRound)]);
    floor.push(Number(stdout));
  }
  pool.close();
  printFigure('a letter in a fenced process, with its start, ms', median(ours), 1);
  printFigure('a letter by the bare compiler, with its start, ms', median(floor), 1);
  const ratios = ours.map((ms, round) => (floor[round] ?? 0) / ms);
  printFigure('letters per second against the bare compiler', median(ratios), 2, { atLeast: minRatio });
}

/** From POST /v1/mails with a template to the print file. */
async function sendLetters(held: AsyncDisposableStack): Promise<void> {
  const service = held.use(await openBenchService());
  const config = await service.openDatabase('templates');
  await importTariffs(tariffs);
  const variables = { LOG_LEVEL: 'error', SANDBOX_STEP_DELAY_S: '3600' };
  const api = await service.startApi('templates', variables);
  await service.startWorkers('templates', variables);
  const { key } = await openBenchAccount(config, 'test');
  const client = createApiClient({ baseUrl: api.origin, key });
  const template = { name: 'Rappel', language: 'fr', text: benchText };
  const { templateId } = await client.call<{ templateId: string }>('POST', '/v1/templates', template);
  const send = (n: number) =>
    client.call('POST', '/v1/mails', {
      ...{ zone: 'NATIONAL', serviceType: 'standard', recipients: [benchAddress] },
      ...{ templateId, mergeVariables: benchVariables(n) },
    });
  // The first letter waits for the processes to start.
  await send(letterCount);
  const countPrinted = () => MailJob.countDocuments({ printFile: { $ne: null } });
  const startedAtMs = performance.now();
  const load = await putUnderLoad(send, { inFlight, forMs: printedWithinMs, maxCalls: letterCount });
  const acceptedS = (performance.now() - startedAtMs) / 1_000;
  const isDone = async () => (await countPrinted()) > letterCount;
  if (!(await pollUntil(isDone, { everyMs: 100, withinMs: printedWithinMs })))
    throw new Error('Letters are not printed.');
  const printedS = (performance.now() - startedAtMs) / 1_000;
  print(`${letterCount} letters of one page, ${inFlight} in flight`);
  printFigure('accepted, with their PDFs, s', acceptedS, 1);
  printFigure('the answer to a letter, median, ms', median(load.latenciesMs), 0);
  printFigure('all print files made, s', printedS, 1, { atMost: maxSeconds });
}
