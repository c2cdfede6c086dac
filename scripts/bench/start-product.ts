import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#common/clock.ts';
import { readConfig } from '#common/config.ts';
import { migrate } from '#common/platform/mongo/migrate.ts';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { createLog } from '#common/platform/process/log.ts';
import { importTariffs } from '#common/pricing/tariffs.ts';
import { migrations } from '#common/schema/migrations.ts';
import { startKeeper } from '../local-servers/keeper/start-keeper.ts';
import { findFreePort } from '../local-servers/ports.ts';
import { startLocalServers } from '../local-servers/start-local-servers.ts';
import { benchStoreOptions } from './bench-service.ts';

export type Product = Awaited<ReturnType<typeof startProduct>>;

/** A process under measurement, of the product or of a store. */
export type Measured = { name: string; pid: number };

const root = join(import.meta.dirname, '../..');
const microsPerTick = 10_000;

/** Starts fresh stores, connects this process to the database, and returns a handle that starts product processes. */
export async function startProduct() {
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-bench-'));
  const keeper = await startKeeper();
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  const options = { keeper, dataDir, isTest: false, environment: { PATH: process.env.PATH }, ...benchStoreOptions };
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

/** Returns the CPU time that a process has used so far, user and system, in milliseconds. Linux only. */
export async function readCpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The program name in parentheses may contain spaces. User and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * microsPerTick) / 1_000;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Returns the quantile of `share`, from 0 to 1; 0 for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
