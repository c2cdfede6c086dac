import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPythonTools } from '#scripts/sdk/types/python-tools.ts';
import { Bluejay } from '#scripts/sdk/typescript/src/index.ts';
import { openBenchService } from '../bench-service.ts';
import { describeGoals, type GoalRow } from '../goal-table.ts';
import { alternate, print, putUnderLoad, type Rounds } from '../measure.ts';
import { openBenchAccount } from '../open-bench-account.ts';

const inFlight = 8;
const rounds = 5;
/** Both sides take this many short turns in a round, because the load of a machine changes within seconds. */
const slices = 10;
const sliceMs = 300;
/** The SDK may cost a tenth of the requests per second of bare fetch or httpx. */
const goal = { atLeast: 0.9 };

type Service = { origin: string; key: string };
type Calls = { name: string; sdk: () => Promise<unknown>; bare: () => Promise<unknown> };

/** Prints the requests per second of both SDKs beside bare `fetch` and httpx, all to one API process. */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const service = held.use(await openBenchService());
  const { key } = await openBenchAccount(await service.openDatabase('sdk'), 'test');
  const { origin } = await service.startApi('sdk');
  const rows: GoalRow[] = [];
  for (const { name, sdk, bare } of await prepareCalls({ origin, key })) {
    rows.push({ name: `TypeScript: ${name}`, unit: '/s', goal, measured: await compare(sdk, bare) });
  }
  const python = await measurePython({ origin, key });
  for (const [client, measured] of Object.entries(python)) {
    rows.push({ name: `Python, ${client}: GET /v1/wallet`, unit: '/s', goal, measured });
  }
  print(describeGoals(rows));
}

async function prepareCalls({ origin, key }: Service): Promise<Calls[]> {
  const bluejay = new Bluejay({ apiKey: key, baseUrl: origin });
  const authorization = `Bearer ${key}`;
  const ada = { name: 'Ada', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };
  const { id } = await bluejay.addresses.create({ ...ada, kind: 'RECIPIENT' });
  const patch = { label: 'Bench' };
  return [
    {
      name: 'GET /v1/wallet',
      sdk: () => bluejay.wallet.get(),
      bare: async () => await (await fetch(`${origin}/v1/wallet`, { headers: { authorization } })).json(),
    },
    {
      name: 'PATCH /v1/addresses/{id}',
      sdk: () => bluejay.addresses.change(id, patch),
      bare: async () => {
        const headers = { authorization, 'content-type': 'application/json' };
        const init = { method: 'PATCH', headers, body: JSON.stringify(patch) };
        return await (await fetch(`${origin}/v1/addresses/${id}`, init)).json();
      },
    },
  ];
}

/** Compares the requests per second of two calls. A round is the mean of its slices. */
async function compare(sdk: () => Promise<unknown>, bare: () => Promise<unknown>): Promise<Rounds> {
  const perS = (call: () => Promise<unknown>) => async () =>
    (await putUnderLoad(call, { inFlight, forMs: sliceMs })).perS;
  const figures: Rounds = { ours: [], floor: [] };
  for (let round = 0; round < rounds; round += 1) {
    const sampled = await alternate(slices, perS(sdk), perS(bare), round === 0 ? slices : 0);
    figures.ours.push(mean(sampled.ours));
    figures.floor.push(mean(sampled.floor));
  }
  return figures;
}

/** Measures both clients of the Python SDK: the synchronous one with one request at a time. */
async function measurePython({ origin, key }: Service): Promise<Record<'sync' | 'async', Rounds>> {
  const bin = await installPythonTools();
  const program = join(import.meta.dirname, 'measure_python.py');
  const args = [program, origin, key, rounds, slices, sliceMs / 1_000, inFlight].map(String);
  const sources = join(import.meta.dirname, '../../sdk/python/src');
  const env = { PATH: process.env.PATH, PYTHONPATH: sources, PYTHONDONTWRITEBYTECODE: '1' };
  return JSON.parse((await promisify(execFile)(join(bin, 'python'), args, { env })).stdout);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
