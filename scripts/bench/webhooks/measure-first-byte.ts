import mongoose from 'mongoose';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { createApiClient, uploadFile } from '#scripts/demo/api-client.ts';
import { makeLetterPdf } from '#scripts/demo/letter-pdf.ts';
import { median, percentile, timeMs } from '../measure.ts';
import { benchAddress } from '../open-bench-account.ts';
import { createPoster } from '../wallet/load.ts';
import { database, openCustomer, printFigure, until, variables, type WebhookBench } from './webhook-bench.ts';

const letters = 100;
const warmUps = 10;
const warmUpRounds = 10;
/** The limit in bare transactions. Letters take days, so one path from event to socket is enough. */
const maxRatio = 12;

/** Measures the time from sending a letter to the first byte at its receiver, on an idle service. */
export async function measureFirstByte(bench: WebhookBench): Promise<void> {
  const { service, receivers } = bench;
  const { origin } = await service.startApi(database, variables);
  const { key } = await openCustomer(bench, 'alone');
  const bytes = await makeLetterPdf(new Date());
  const file = { filename: 'letter.pdf', mimeType: 'application/pdf', bytes };
  const s3Key = await uploadFile(createApiClient({ baseUrl: origin, key }), file);
  const letter = {
    zone: 'NATIONAL',
    serviceType: 'standard',
    pages: 2,
    recipients: [benchAddress],
    files: [{ s3Key }],
  };
  const body = JSON.stringify(letter);
  const poster = createPoster([origin], { connections: warmUps, wallets: 1 });
  const post = async () => {
    const status = await poster.post(0, key, body);
    if (status >= 400) throw new Error(`A send was answered with ${status}.`);
  };
  const isRendered = async () => (await MailJob.exists({ 'due.render': { $exists: true } })) === null;
  // Warm-up, so the service runs compiled code.
  for (let round = 0; round < warmUpRounds; round += 1) {
    await Promise.all(Array.from({ length: warmUps }, post));
  }
  await until(isRendered);
  const floor = await openFloor();
  const [delaysMs, answersMs, floorMs]: [number[], number[], number[]] = [[], [], []];
  for (let index = 0; index < letters; index += 1) {
    receivers.reset();
    const startedMs = performance.now();
    const answered = timeMs(post);
    await until(() => receivers.countOf('alone') === 1);
    delaysMs.push(receivers.lastMs() - startedMs);
    answersMs.push(await answered);
    // Waits until the service is idle again.
    await until(isRendered);
    floorMs.push(await timeMs(floor));
  }
  await poster.close();
  const ratio = median(delaysMs) / median(floorMs);
  printFigure('POST /v1/mails to the first byte at the receiver / bare transaction', ratio, 1, { atMost: maxRatio });
  printFigure('  first byte, p50 ms', median(delaysMs), 1);
  printFigure('  first byte, p99 ms', percentile(delaysMs, 0.99), 1);
  printFigure('  bare transaction of one write, p50 ms', median(floorMs), 1);
  printFigure('  the answer to the POST itself, p50 ms', median(answersMs), 1);
}

/** Opens the floor: a transaction with one insert in the product's database, the minimum of any send. */
async function openFloor(): Promise<() => Promise<void>> {
  const rows = mongoose.connection.collection('bench_floor');
  await rows.insertOne({});
  return async () => {
    await inTransaction(async (session) => void (await rows.insertOne({}, { session })));
  };
}
