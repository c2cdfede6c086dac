import { Bluejay } from '#scripts/sdk/typescript/src/index.ts';
import { openBenchService } from './bench-service.ts';
import { describeGoals, type GoalRow } from './goal-table.ts';
import { alternate, print, putUnderLoad } from './measure.ts';
import { openBenchAccount } from './open-bench-account.ts';

const inFlight = 8;
const rounds = 5;
const sliceMs = 3_000;
/** The SDK may cost a tenth of the requests per second of bare fetch. */
const goal = { atLeast: 0.9 };

type Calls = { name: string; sdk: () => Promise<unknown>; bare: () => Promise<unknown> };

/** Prints the requests per second of the TypeScript SDK beside bare `fetch`, both to one API process. */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const service = held.use(await openBenchService());
  const { key } = await openBenchAccount(await service.openDatabase('sdk'), 'test');
  const { origin } = await service.startApi('sdk');
  const bluejay = new Bluejay({ apiKey: key, baseUrl: origin });
  const authorization = `Bearer ${key}`;
  const ada = { name: 'Ada', line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };
  const { id } = await bluejay.addresses.create({ ...ada, kind: 'RECIPIENT' });
  const patch = { label: 'Bench' };
  const calls: Calls[] = [
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
  const rows: GoalRow[] = [];
  for (const { name, sdk, bare } of calls) {
    const perS = (call: () => Promise<unknown>) => async () =>
      (await putUnderLoad(call, { inFlight, forMs: sliceMs })).perS;
    rows.push({ name, unit: '/s', goal, measured: await alternate(rounds, perS(sdk), perS(bare), 1) });
  }
  print(describeGoals(rows));
}
