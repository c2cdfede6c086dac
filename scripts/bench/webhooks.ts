import { Pool } from 'undici';
import { createApiKey } from '../../common/access/api-keys.ts';
import { scopes } from '../../common/access/scopes.ts';
import { newId } from '../../common/ids.ts';
import { MailJob } from '../../common/mail-jobs/mail-job.model.ts';
import { newDue } from '../../common/platform/due-work.ts';
import { createLog } from '../../common/platform/log.ts';
import { createHints } from '../../common/platform/queues.ts';
import { createRedis } from '../../common/platform/redis.ts';
import { createKeyRing } from '../../common/secrets.ts';
import { openAccount } from '../../common/wallet/open-account.ts';
import { createWebhook } from '../../common/webhooks/create-webhook.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { Endpoint } from '../../common/webhooks/endpoint.model.ts';
import { Event, type EventRecord } from '../../common/webhooks/event.model.ts';
import { makeLetterPdf } from '../demo/letter-pdf.ts';
import { type Measured, median, type Product, percentile, readCpuMs, startProduct } from './product.ts';
import { startWebhookReceivers, type WebhookReceivers } from './webhook-receivers.ts';

const endpointCount = 100;
const perEndpoint = 100;
const rounds = 3;
const letters = 100;
const warmUps = 10;
const warmUpRounds = 10;
const healthyCount = 2_000;

type Bench = { product: Product; receivers: WebhookReceivers; workers: Measured; nudge(): void };

/** Measures deliveries against the goals: CPU and rate of a backlog, delay of one alone, and a neighbour that hangs. */
export async function run(): Promise<void> {
  const product = await startProduct();
  const receivers = await startWebhookReceivers();
  const redis = createRedis(product.config.redis.url, 'patient', createLog('bench', 'silent'));
  const hints = createHints({ redis, prefix: product.config.redis.queuePrefix, log: createLog('bench', 'silent') });
  try {
    const workers = await product.start('workers', 'workers/main.ts');
    const bench = { product, receivers, workers, nudge: () => hints.nudge('fan-out', ['evt_bench']) };
    await measureBacklog(bench);
    await measureNeighbour(bench);
    await measureDelay(bench);
  } finally {
    await hints.close();
    redis.disconnect();
    await product.close();
    await receivers.close();
  }
}

const address = { name: 'Bench', line1: 'Rue Haute 1', line2: null, zip: '1000', city: 'Bruxelles', country: 'BE' };

/** An organization with one webhook at the receiver of this name. */
async function openCustomer({ product, receivers }: Bench, name: string): Promise<string> {
  const keyRing = createKeyRing(product.config.encryptionKeys);
  const { _id: organizationId } = await openAccount({ name, address }, keyRing, new Date());
  const request = { url: receivers.url(name), events: ['MAIL_QUEUED' as const] };
  const deps = { keyRing, checkTargetUrl: async () => [], maxActiveWebhooks: product.config.webhooks.maxActive };
  await createWebhook({ organizationId, mode: 'test' }, request, deps, new Date());
  return organizationId;
}

async function storeEvents(organizationIds: readonly string[], count: number): Promise<void> {
  const at = new Date();
  const events = Array.from({ length: count }, (_, index): EventRecord => {
    const mailJobId = newId('mj');
    const organizationId = organizationIds[index % organizationIds.length] ?? '';
    const payload = { event: 'MAIL_QUEUED', mailJobId, externalId: `bench-${index}`, status: 'queued', queuedAt: at };
    const owner = { organizationId, mode: 'test' as const };
    const what = { kind: 'MAIL_QUEUED' as const, subjectId: mailJobId, body: JSON.stringify(payload) };
    return { _id: newId('evt'), ...owner, ...what, webhookUrl: null, at, fannedOutAt: null, due: newDue(at) };
  });
  await Event.collection.insertMany(events as never[]);
}

async function until(isSo: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const endsAt = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error('The deliveries did not come in time.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const isRecorded = async () => (await Delivery.findOne({ state: { $in: ['due', 'sending'] } })) === null;

/** CPU and rate of deliveries that wait. The workers are held while the events are stored, so that all of them wait when the clock starts. */
async function measureBacklog(bench: Bench): Promise<void> {
  const { product, receivers, workers, nudge } = bench;
  const names = Array.from({ length: endpointCount }, (_, index) => `e${index}`);
  const customers: string[] = [];
  for (const name of names) customers.push(await openCustomer(bench, name));
  const measured = [workers, ...product.stores.filter(({ name }) => !/object/i.test(name))];
  const total = endpointCount * perEndpoint;
  const rates: number[] = [];
  const costs: number[][] = [];
  // The first round makes the runtime warm, and counts for nothing.
  for (let round = 0; round <= rounds; round += 1) {
    receivers.reset();
    process.kill(workers.pid, 'SIGSTOP');
    await storeEvents(customers, total);
    const before = await Promise.all(measured.map(({ pid }) => readCpuMs(pid)));
    const startedMs = performance.now();
    process.kill(workers.pid, 'SIGCONT');
    nudge();
    await until(() => receivers.total() === total);
    const elapsedMs = receivers.lastMs() - startedMs;
    await until(isRecorded);
    const after = await Promise.all(measured.map(({ pid }) => readCpuMs(pid)));
    if (round === 0) continue;
    rates.push((total / elapsedMs) * 1_000);
    costs.push(after.map((ms, index) => (ms - (before[index] ?? 0)) / total));
  }
  const each = measured.map(({ name }, index) => `${name} ${median(costs.map((cost) => cost[index] ?? 0)).toFixed(3)}`);
  const cost = median(costs.map((one) => one.reduce((sum, ms) => sum + ms, 0)));
  print(
    `${total} waiting over ${endpointCount} endpoints, CPU ms a delivery`,
    cost.toFixed(3),
    '<= 0.55',
    cost <= 0.55,
  );
  print(`  of which ${each.join(', ')}`, '', '');
  print('  deliveries per second', median(rates).toFixed(0), '>= 2000', median(rates) >= 2_000);
}

/** What is left to a healthy endpoint beside one that hangs. */
async function measureNeighbour(bench: Bench): Promise<void> {
  const { receivers, nudge } = bench;
  const healthy = await openCustomer(bench, 'healthy');
  const hanging = await openCustomer(bench, 'hanging');
  const send = async () => {
    receivers.reset();
    await storeEvents([healthy], healthyCount);
    const startedMs = performance.now();
    nudge();
    await until(() => receivers.countOf('healthy') === healthyCount);
    return performance.now() - startedMs;
  };
  await send();
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await send());
    receivers.hang('hanging', true);
    await storeEvents([hanging], healthyCount);
    nudge();
    await until(() => receivers.countOf('hanging') >= 10);
    beside.push(await send());
    receivers.hang('hanging', false);
    await Delivery.deleteMany({ organizationId: hanging });
    await Endpoint.deleteMany({ organizationId: hanging });
  }
  const ratio = median(alone) / median(beside);
  print('healthy endpoint beside one that hangs / alone', ratio.toFixed(2), '>= 0.90', ratio >= 0.9);
  print(`  alone ${perS(alone)}/s, beside ${perS(beside)}/s`, '', '');
}

const perS = (durationsMs: readonly number[]) => Math.round((healthyCount / median(durationsMs)) * 1_000);

/** From the send of a letter to the first byte at its receiver, on an idle service. */
async function measureDelay(bench: Bench): Promise<void> {
  const { product, receivers } = bench;
  await product.start('api', 'api/server.ts');
  const organizationId = await openCustomer(bench, 'alone');
  const { key } = await createApiKey({ organizationId, mode: 'test', scopes }, new Date());
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  // Not `fetch`: it takes longer than the way through the product's own HTTP.
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
  // A service that has been running for a while has its code compiled.
  for (let round = 0; round < warmUpRounds; round += 1) {
    await Promise.all(Array.from({ length: warmUps }, () => post('/v1/mails', letter)));
  }
  await until(isRendered);
  const delaysMs: number[] = [];
  const answersMs: number[] = [];
  for (let index = 0; index < letters; index += 1) {
    receivers.reset();
    const startedMs = performance.now();
    const answered = post('/v1/mails', letter).finally(() => answersMs.push(performance.now() - startedMs));
    await until(() => receivers.countOf('alone') === 1);
    delaysMs.push(receivers.lastMs() - startedMs);
    await answered;
    // Idle again.
    await until(isRendered);
  }
  await pool.close();
  const [p50, p99] = [median(delaysMs), percentile(delaysMs, 0.99)];
  print('POST /v1/mails to the first byte at the receiver, p50 ms', p50.toFixed(1), '<= 15', p50 <= 15);
  print('  p99 ms', p99.toFixed(1), '<= 50', p99 <= 50);
  print('  the answer to the POST itself, p50 ms', median(answersMs).toFixed(1), '');
}

function print(what: string, figure: string, goal: string, isReached?: boolean): void {
  const verdict = isReached === undefined ? '' : isReached ? 'reached' : 'MISSED';
  process.stdout.write(`${what.padEnd(66)} ${figure.padStart(8)}  ${goal.padEnd(8)} ${verdict}\n`);
}
