import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey } from '#common/access/api-keys.ts';
import { plusMs, systemClock } from '#common/clock.ts';
import { readConfig } from '#common/config.ts';
import { newId } from '#common/ids.ts';
import { migrate } from '#common/platform/mongo/migrate.ts';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { createLog } from '#common/platform/process/log.ts';
import { migrations } from '#common/schema/migrations.ts';
import { createKeyRing } from '#common/secrets.ts';
import { moveMoney, walletIdOf } from '#common/wallet/ledger/move-money.ts';
import { readRun } from '#common/wallet/ledger/read-ledger.ts';
import { openAccount } from '#common/wallet/open-account.ts';
import { topUpWallet } from '#common/wallet/wallets.ts';
import { claimDataDir } from '#scripts/local-servers/claim-data-dir.ts';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { startLocalServers } from '#scripts/local-servers/start-local-servers.ts';
import { benchStoreOptions } from '../bench-service.ts';

const root = join(import.meta.dirname, '../../..');
const entryCount = 100_000;
const batchSize = 250;
const rounds = 5;
const sampleEveryMs = 5;
const month = '2026-03';
const startsAt = new Date('2026-03-01T00:00:00.000Z');
const goal = { ms: 2_000, growthMb: 50 };

/** Prints the time of a statement of 100,000 letters as JSON and as CSV, and the growth of the API's memory. */
export async function run(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-bench-'));
  const claim = await claimDataDir(dataDir);
  const keeper = await startKeeper();
  let api: ChildProcess | undefined;
  try {
    const report = (line: string) => void process.stderr.write(`${line}\n`);
    const servers = { keeper, dataDir, environment: {}, ...benchStoreOptions, report };
    const { environment } = await startLocalServers(servers);
    const port = await findFreePort();
    const ports = { PORT: `${port}`, WEB_PORT: '0', METRICS_PORT: '0' };
    const variables = { PATH: process.env.PATH, ...environment, ...ports, NODE_ENV: 'production' };
    const config = readConfig(variables);
    await connectMongo(config.mongo.url, 'bluejay-bench');
    await migrate(migrations, systemClock, createLog('bench', 'silent'));
    const { walletId, key } = await fillLedger(createKeyRing(config.encryptionKeys));
    api = await startApi(variables);
    await measure(`http://127.0.0.1:${port}/v1/wallet/statements/${month}`, key, walletId, api);
  } finally {
    if (api) {
      api.kill('SIGTERM');
      await once(api, 'exit');
    }
    await disconnectMongo();
    await keeper.close();
    claim.release();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Writes the debits with `moveMoney`, so the ledger has the shape that letters give it. */
async function fillLedger(keyRing: ReturnType<typeof createKeyRing>): Promise<{ walletId: string; key: string }> {
  const address = { name: 'Bench', line1: 'Rue Haute 1', line2: null, zip: '1000', city: 'Bruxelles', country: 'BE' };
  const account = await openAccount({ name: 'Bench', address }, keyRing, startsAt);
  const owner = { organizationId: account._id, mode: 'live' } as const;
  await topUpWallet(owner, entryCount * 221, 'bench', startsAt);
  const vat = [
    { percent: 0, netCents: -163, vatCents: 0 },
    { percent: 21, netCents: -48, vatCents: -10 },
  ];
  for (let written = 0; written < entryCount; written += batchSize) {
    const debits = Array.from({ length: batchSize }, () => {
      const mailJobId = newId('mj');
      return { owner, kind: 'debit' as const, amountCents: -221, key: `debit:${mailJobId}`, mailJobId, vat };
    });
    await inTransaction((transaction) => moveMoney(transaction, debits, plusMs(startsAt, written)));
  }
  const { key } = await createApiKey({ ...owner, scopes: ['wallet'] }, startsAt);
  return { walletId: walletIdOf(owner), key };
}

async function startApi(environment: Record<string, string | undefined>): Promise<ChildProcess> {
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  const api = spawn(process.execPath, [join(root, 'api/server.ts')], { cwd: root, env: environment, stdio });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  api.once('exit', () => reject(new Error('The API did not start.')));
  api.stdout?.on('data', (chunk: Buffer) => {
    if (/^ready$/m.test(chunk.toString())) resolve();
  });
  await promise;
  return api;
}

async function measure(url: string, key: string, walletId: string, api: ChildProcess): Promise<void> {
  const idleMb = await readRssMb(api);
  print('round', 'reading alone, ms', 'JSON, ms', 'CSV, ms', 'memory at most, MB');
  const all = { floor: [] as number[], json: [] as number[], csv: [] as number[], mb: [] as number[] };
  for (let round = 1; round <= rounds; round += 1) {
    const floor = await timeMs(() => readAlone(walletId));
    const memory = watchMemory(api);
    const json = await timeMs(() => download(url, key, /"closingBalanceCents":0\}$/));
    const csv = await timeMs(() => download(`${url}?format=csv`, key, /^closing,[^\n]*\r\n$/m));
    const mb = await memory.stop();
    print(round, floor, json, csv, mb);
    all.floor.push(floor);
    all.json.push(json);
    all.csv.push(csv);
    all.mb.push(mb);
  }
  const growthMb = Math.max(...all.mb) - idleMb;
  const spread = (values: number[]) => `${Math.min(...values)} to ${Math.max(...values)} ms`;
  process.stdout.write(
    `${entryCount} letters in a month: JSON ${spread(all.json)}, CSV ${spread(all.csv)} (goal: below ${goal.ms} ms); ` +
      `reading alone ${spread(all.floor)}\n` +
      `memory: ${idleMb} MB before the first statement, grew by ${growthMb.toFixed(1)} MB at most ` +
      `(goal: below ${goal.growthMb} MB)\n`,
  );
}

/** The floor: reads the same entries in this process without formatting them. */
async function readAlone(walletId: string): Promise<void> {
  let count = 0;
  for await (const entries of readRun(walletId, 0, entryCount + 1)) count += entries.length;
  if (count !== entryCount + 1) throw new Error(`${count} entries were read`);
}

async function download(url: string, key: string, end: RegExp): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok || !response.body) throw new Error(`The statement was answered with ${response.status}.`);
  let last = '';
  // Keeps only the end, because buffering the body here would slow down the measured process.
  for await (const chunk of response.body) last = (last + Buffer.from(chunk).toString('latin1')).slice(-400);
  if (!end.test(last)) throw new Error(`The statement does not end as it should: ${last}`);
}

function watchMemory(child: ChildProcess): { stop(): Promise<number> } {
  let mostMb = 0;
  const look = async () => {
    mostMb = Math.max(mostMb, await readRssMb(child));
  };
  const timer = setInterval(() => void look(), sampleEveryMs);
  return {
    async stop() {
      clearInterval(timer);
      await look();
      return mostMb;
    },
  };
}

async function readRssMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 102.4) / 10;
}

async function timeMs(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round(performance.now() - startedAt);
}

function print(...cells: (string | number)[]): void {
  process.stdout.write(`${cells.map((cell, n) => String(cell).padStart(n === 0 ? 6 : 20)).join('')}\n`);
}
