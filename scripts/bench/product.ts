import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../common/clock.ts';
import { readConfig } from '../../common/config.ts';
import { createLog } from '../../common/platform/log.ts';
import { migrate } from '../../common/platform/migrate.ts';
import { connectMongo, disconnectMongo } from '../../common/platform/mongo.ts';
import { importTariffs } from '../../common/pricing/tariffs.ts';
import { migrations } from '../../common/schema/migrations.ts';
import { findFreePort } from '../local-servers/ports.ts';
import { startKeeper } from '../local-servers/start-keeper.ts';
import { startLocalServers } from '../local-servers/start-local-servers.ts';
import { measuredStores } from './measured-stores.ts';

export type Product = Awaited<ReturnType<typeof startProduct>>;

/** A process of the product, or of a store, under measurement. */
export type Measured = { name: string; pid: number };

const root = join(import.meta.dirname, '../..');
const microsPerTick = 10_000;

/** The product on fresh stores of its own, with this process connected to its database. */
export async function startProduct() {
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-bench-'));
  const keeper = await startKeeper();
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  const options = { keeper, dataDir, isTest: false, environment: { PATH: process.env.PATH }, ...measuredStores };
  const local = await startLocalServers({ ...options, report });
  const environment = {
    ...local.environment,
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    PORT: String(await findFreePort()),
    WEB_PORT: '0',
    METRICS_PORT: '0',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    RATE_LIMIT_READ_PER_MINUTE: '1000000',
    RATE_LIMIT_WRITE_PER_MINUTE: '1000000',
    RATE_LIMIT_BURST: '1000000',
    SANDBOX_STEP_DELAY_S: '100000',
  };
  const config = readConfig(environment);
  await connectMongo(config.mongo.url, 'bluejay-bench');
  await migrate(migrations, systemClock, createLog('bench', 'silent'));
  await importTariffs(JSON.parse(await readFile(join(root, 'scripts/demo/tariffs.json'), 'utf8')));
  const children: ChildProcess[] = [];
  const stores = local.servers.map(({ name, process: { pid } }): Measured => ({ name, pid }));

  async function start(name: string, entry: string): Promise<Measured> {
    const child = spawn(process.execPath, [join(root, entry)], {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const isReady = new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        process.stderr.write(chunk.toString().replace(/^ready\n/m, ''));
        if (/^ready$/m.test(chunk.toString())) resolve();
      });
      child.once('exit', () => reject(new Error(`${entry} did not start`)));
    });
    await isReady;
    return { name, pid: child.pid ?? 0 };
  }

  return {
    config,
    stores,
    start,
    async close() {
      for (const child of children) {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      await disconnectMongo();
      await local.close();
      await keeper.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** CPU that a process has used so far, user and system, in milliseconds. Linux only. */
export async function readCpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold spaces; the times are the 14th and 15th fields.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * microsPerTick) / 1_000;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value below which this share of all lies; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
