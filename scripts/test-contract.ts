import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { installSchemathesis } from './contract/install-schemathesis.ts';
import { type ContractSeed, seedContract } from './contract/seed-contract.ts';
import { spawnSchemathesis } from './contract/spawn-schemathesis.ts';
import { findFreePort } from './local-servers/ports.ts';
import { runProgram } from './program/run-program.ts';
import { runService } from './supervisor/run-service.ts';
import { waitForStop } from './supervisor/wait-for-stop.ts';

type ContractOptions = { examples: string; seed: string; operation?: string };

/**
 * `npm run test:contract` starts the whole service on a temporary folder and free ports, and runs schemathesis against
 * the OpenAPI document that the service publishes. Returns the exit code of schemathesis.
 */
async function testContract(options: ContractOptions): Promise<number> {
  const stopped = waitForStop('test:contract', () => {});
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  const program = await installSchemathesis({ environment: process.env, report });
  const folder = await mkdtemp(join(tmpdir(), 'bluejay-contract-'));
  const stopping = new AbortController();
  const held = new AsyncDisposableStack();
  try {
    const run = async (): Promise<number> => {
      const dataDir = join(folder, 'data');
      const given = await serviceEnvironment();
      const { environment } = await runService({ given, dataDir, allowDownload: true }, held);
      const seed = await seedContract(environment, dataDir);
      const configFile = await writeConfig(join(folder, 'schemathesis'), seed);
      const { baseUrl, key } = seed;
      return await spawnSchemathesis({ program, configFile, baseUrl, key, signal: stopping.signal, ...options });
    };
    return await Promise.race([run(), stopped.then(() => 130)]);
  } finally {
    stopping.abort();
    await held.disposeAsync();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns what differs from `npm start`: no requests leave this machine, and no rate limit is reached. */
async function serviceEnvironment(): Promise<Record<string, string | undefined>> {
  const { PATH, HOME, XDG_CACHE_HOME } = process.env;
  return {
    ...{ PATH, HOME, XDG_CACHE_HOME },
    PORT: String(await findFreePort()),
    WEB_PORT: String(await findFreePort()),
    METRICS_PORT: '0',
    RATE_LIMIT_READ_PER_MINUTE: '1000000',
    RATE_LIMIT_WRITE_PER_MINUTE: '1000000',
    RATE_LIMIT_BURST: '1000000',
    RATE_LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: '1000000',
    RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE: '1000000',
    RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE: '1000000',
    // Letters keep the status that the requests set.
    SANDBOX_STEP_DELAY_S: '3600',
    // Without webhook-delivery, because a generated URL may belong to a real host.
    WORKERS: 'fan-out,render,lifecycle,cleanup,scanner',
  };
}

/** Writes the configuration and the dictionaries it names, which differ in each run. */
async function writeConfig(folder: string, { dictionaries }: ContractSeed): Promise<string> {
  const configFile = join(folder, 'schemathesis.toml');
  await mkdir(folder);
  await copyFile(join(import.meta.dirname, 'contract/schemathesis.toml'), configFile);
  for (const [name, values] of Object.entries(dictionaries)) {
    await writeFile(join(folder, `${name}.dict`), values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  }
  return configFile;
}

const command = new Command('npm run test:contract --')
  .description(
    'Sends thousands of generated requests to the service and checks each answer against its OpenAPI document.',
  )
  .option('--examples <count>', 'requests per operation and phase', '100')
  .option('--seed <number>', 'the random seed: the same number generates the same requests', '1')
  .option('--operation <operationId>', 'test only this operation of the OpenAPI document')
  .allowExcessArguments(false)
  .parse();
await runProgram(() => testContract(command.opts<ContractOptions>()));
