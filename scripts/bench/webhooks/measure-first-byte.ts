import mongoose from 'mongoose';
import { Pool } from 'undici';
import { createApiKey } from '#common/access/api-keys.ts';
import { scopes } from '#common/access/scopes.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { makeLetterPdf } from '#scripts/demo/letter-pdf.ts';
import { median, percentile } from '../start-product.ts';
import { openCustomer, print, until, type WebhookBench } from './webhook-bench.ts';

const letters = 100;
const warmUps = 10;
const warmUpRounds = 10;
/** The limit in bare transactions. Letters take days, so one path from event to socket is enough. */
const maxRatio = 12;

/** Measures the time from sending a letter to the first byte at its receiver, on an idle service. */
export async function measureFirstByte(bench: WebhookBench): Promise<void> {
  const { product, receivers } = bench;
  await product.start('api', 'api/server.ts');
  const organizationId = await openCustomer(bench, 'alone');
  const { key } = await createApiKey({ organizationId, mode: 'test', scopes }, new Date());
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  // Not `fetch`, whose overhead exceeds that of the product's HTTP handling.
  const pool = new Pool(`http://127.0.0.1:${product.config.http.port}`, { connections: warmUps });
  const post = async (path: string, content: unknown) => {
    const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(content) });
    const json = (await answer.body.json()) as Record<'s3Key' | 'uploadUrl' | 'mailJobId', string> & {
      headers: Record<string, string>;
    };
    if (answer.statusCode >= 400) throw new Error(`${path} answered ${answer.statusCode}: ${JSON.stringify(json)}`);
    return json;
  };
  const file = Buffer.from(await makeLetterPdf({ addressLines: ['Ada Peeters'], writtenOn: new Date() }));
  const form = { filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes: file.length };
  const { s3Key, uploadUrl, headers: putHeaders } = await post('/v1/uploads', form);
  await fetch(uploadUrl, { method: 'PUT', headers: putHeaders, body: file });
  const recipient = { name: 'Ada Peeters', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };
  const letter = { zone: 'NATIONAL', serviceType: 'standard', pages: 2, recipients: [recipient], files: [{ s3Key }] };
  const isRendered = async () => (await MailJob.exists({ 'due.render': { $exists: true } })) === null;
  // Warm-up, so the service runs compiled code.
  for (let round = 0; round < warmUpRounds; round += 1) {
    await Promise.all(Array.from({ length: warmUps }, () => post('/v1/mails', letter)));
  }
  await until(isRendered);
  const floor = await openFloor();
  const [delaysMs, answersMs, floorMs]: [number[], number[], number[]] = [[], [], []];
  for (let index = 0; index < letters; index += 1) {
    receivers.reset();
    const startedMs = performance.now();
    const answered = post('/v1/mails', letter).finally(() => answersMs.push(performance.now() - startedMs));
    await until(() => receivers.countOf('alone') === 1);
    delaysMs.push(receivers.lastMs() - startedMs);
    await answered;
    // Waits until the service is idle again.
    await until(isRendered);
    const floorStartMs = performance.now();
    await floor();
    floorMs.push(performance.now() - floorStartMs);
  }
  await pool.close();
  const [p50, p99] = [median(delaysMs), percentile(delaysMs, 0.99)];
  const ratio = p50 / median(floorMs);
  const name = 'POST /v1/mails to the first byte at the receiver / bare transaction';
  print(name, ratio.toFixed(1), `<= ${maxRatio}`, ratio <= maxRatio);
  print('  first byte, p50 and p99 ms', `${p50.toFixed(1)} ${p99.toFixed(1)}`, '');
  print('  bare transaction of one write, p50 ms', median(floorMs).toFixed(1), '');
  print('  the answer to the POST itself, p50 ms', median(answersMs).toFixed(1), '');
}

/** Opens the floor: a transaction with one insert in the product's database, the minimum of any send. */
async function openFloor(): Promise<() => Promise<void>> {
  const rows = mongoose.connection.collection('bench_floor');
  await rows.insertOne({});
  return async () => {
    await inTransaction(async (session) => void (await rows.insertOne({}, { session })));
  };
}
