import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createApiKey } from '#common/access/api-keys.ts';
import { systemClock } from '#common/clock.ts';
import { readConfig } from '#common/config.ts';
import { migrate } from '#common/platform/mongo/migrate.ts';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { createLog } from '#common/platform/process/log.ts';
import { createObjectStoreClient, type ObjectStore } from '#common/platform/s3/s3.ts';
import { importTariffs } from '#common/pricing/tariffs.ts';
import { migrations } from '#common/schema/migrations.ts';
import { createKeyRing, type KeyRing } from '#common/secrets.ts';
import { createUpload } from '#common/uploads/create-upload.ts';
import { openAccount } from '#common/wallet/open-account.ts';
import { topUpWallet } from '#common/wallet/wallets.ts';
import { claimDataDir } from '#scripts/local-servers/claim-data-dir.ts';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { startLocalServers } from '#scripts/local-servers/start-local-servers.ts';
import { benchStoreOptions } from '../bench-service.ts';
import { benchTariff } from './letter.ts';
import { inParallel } from './load.ts';

/** A customer with one upload and a balance that no benchmark exhausts. */
export type BenchCustomer = { organizationId: string; key: string; s3Key: string };

/** CPU time per process, in milliseconds. */
export type CpuMs = { api: number; mongodb: number; redis: number; caller: number };

export type WalletBench = {
  customers: BenchCustomer[];
  /** The origins of the API processes. */
  urls: string[];
  /**
   * Returns the CPU time used so far; 0 where it is unknown. The caller is this process, which also runs the floors.
   */
  cpuMs(): Promise<CpuMs>;
  /** Uploads a file and returns its S3 key. */
  freshUpload(customer: BenchCustomer): Promise<string>;
  close(): Promise<void>;
};

const root = join(import.meta.dirname, '../../..');
const startWithinMs = 60_000;

/** Starts separate stores, customers and API processes in production mode, without workers. */
export async function openWalletBench(options: { customerCount: number; apiCount: number }): Promise<WalletBench> {
  const { customerCount, apiCount } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-bench-'));
  const claim = await claimDataDir(dataDir);
  const keeper = await startKeeper();
  const apis: ChildProcess[] = [];
  const close = async () => {
    await Promise.all(apis.map(stopApi));
    await disconnectMongo();
    await keeper.close();
    claim.release();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const report = (line: string) => process.stderr.write(`${line}\n`);
    const { environment } = await startLocalServers({
      keeper,
      dataDir,
      environment: process.env,
      ...benchStoreOptions,
      report,
    });
    const variables = benchEnvironment({ ...process.env, ...environment });
    const config = readConfig(variables);
    await connectMongo(config.mongo.url, 'bluejay-bench');
    await migrate(migrations, systemClock, createLog('bench', 'silent'));
    await importTariffs([benchTariff]);
    const store = createObjectStoreClient(config.s3);
    const freshUpload = (customer: Pick<BenchCustomer, 'organizationId'>) => putUpload(customer, store);
    const keyRing = createKeyRing(config.encryptionKeys);
    const customers = await inParallel(Array.from({ length: customerCount }), () => openCustomer(keyRing, freshUpload));
    const urls: string[] = [];
    for (let n = 0; n < apiCount; n += 1) urls.push(await startApi(variables, dataDir, apis));
    const cpuMs = async () => {
      const pidOf = async (server: string) =>
        JSON.parse(await readFile(join(dataDir, 'run', `${server}.json`), 'utf8')).pid as number;
      const api = await Promise.all(apis.map(({ pid }) => readCpuMs(pid)));
      const [mongodb, redis] = await Promise.all(
        ['mongodb', 'redis'].map(async (name) => readCpuMs(await pidOf(name))),
      );
      const { user, system } = process.cpuUsage();
      return {
        api: api.reduce((sum, ms) => sum + ms, 0),
        mongodb: mongodb ?? 0,
        redis: redis ?? 0,
        caller: (user + system) / 1_000,
      };
    };
    return { customers, urls, cpuMs, freshUpload, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function benchEnvironment(inherited: Record<string, string | undefined>): Record<string, string | undefined> {
  const uri = new URL(inherited.MONGODB_URI ?? '');
  // A MongoDB given in the environment may contain other databases.
  uri.pathname = `/bench-${randomUUID().slice(0, 8)}`;
  return {
    ...inherited,
    MONGODB_URI: uri.href,
    QUEUE_PREFIX: uri.pathname.slice(1),
    NODE_ENV: 'production',
    RATE_LIMIT_WRITE_PER_MINUTE: '1000000',
    RATE_LIMIT_BURST: '1000000',
    PORT: '0',
  };
}

async function openCustomer(
  keyRing: KeyRing,
  freshUpload: (customer: { organizationId: string }) => Promise<string>,
): Promise<BenchCustomer> {
  const at = systemClock.now();
  const address = { name: 'Bench', line1: 'Rue Haute 1', line2: null, zip: '1000', city: 'Bruxelles', country: 'BE' };
  const { _id: organizationId } = await openAccount({ name: 'Bench', address }, keyRing, at);
  const { key } = await createApiKey({ organizationId, mode: 'live', scopes: ['send', 'read', 'wallet'] }, at);
  await topUpWallet({ organizationId, mode: 'live' }, 100_000_000, 'bench', at);
  return { organizationId, key, s3Key: await freshUpload({ organizationId }) };
}

const fileBytes = Buffer.alloc(2_000, 'letter');

async function putUpload({ organizationId }: { organizationId: string }, store: ObjectStore): Promise<string> {
  const request = { filename: 'letter.pdf', mimeType: 'application/pdf', sizeBytes: fileBytes.length } as const;
  const owner = { organizationId, mode: 'live' } as const;
  const storage = { store, maxStoredBytes: 1e12 };
  const { s3Key, uploadUrl, headers } = await createUpload(owner, request, storage, systemClock.now());
  const { status } = await fetch(uploadUrl, { method: 'PUT', headers, body: fileBytes });
  if (status !== 200) throw new Error(`The store answered ${status}.`);
  return s3Key;
}

async function startApi(variables: Record<string, string | undefined>, dataDir: string, apis: ChildProcess[]) {
  const [PORT, WEB_PORT, METRICS_PORT] = [await findFreePort(), await findFreePort(), await findFreePort()].map(String);
  // The access log is written as in production, but not read.
  const log = await open(join(dataDir, `api-${PORT}.log`), 'w');
  const env = { ...variables, PORT, WEB_PORT, METRICS_PORT };
  apis.push(spawn(process.execPath, [join(root, 'api/server.ts')], { env, stdio: ['ignore', log.fd, 'inherit'] }));
  await log.close();
  const url = `http://127.0.0.1:${PORT}`;
  const endsAt = performance.now() + startWithinMs;
  while (!(await answers(`${url}/healthz`))) {
    if (performance.now() > endsAt) throw new Error('The API did not start.');
    await pause(50);
  }
  return url;
}

async function readCpuMs(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // User and system time, in ticks of 10 ms.
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}

async function stopApi(api: ChildProcess): Promise<void> {
  if (api.exitCode !== null) return;
  const ended = once(api, 'exit');
  api.kill('SIGTERM');
  await ended;
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
