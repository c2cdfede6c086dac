import { inParallel } from '#common/platform/concurrency/in-parallel.ts';
import { describeGoals, type Goal } from '../goal-table.ts';
import { type LoadOptions, median, print } from '../measure.ts';
import { type Floor, openFloor } from './floor.ts';
import { createPoster, type Send, type SendLoad, sendUnderLoad } from './load.ts';
import { type CpuMs, letterBody, openWalletBench, type WalletBench } from './open-wallet-bench.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const only = process.env.BENCH_ONLY?.split(',');

/** Letters to the first `processes` API processes, or bare transactions in the caller if that is 0. */
type Subject = {
  name: string;
  processes: number;
  wallets: number;
  load: LoadOptions;
  /** Whether each letter has an upload of its own, which the API has not seen before. */
  isFresh?: boolean;
};

const forMs = 2_000;
/** Callers per API process. */
const inFlight = 128;
/** The fastest setting of bare transactions. */
const bare = { processes: 0, load: { inFlight: 32, forMs } };
const alone = { wallets: 1, load: { inFlight: 1, forMs: 1_000 } };
const fresh = { wallets: 200, isFresh: true };
const freshLoad = { inFlight, forMs: 60_000, maxCalls: 1_000 };

const processCounts = { one: 1, two: 2, four: 4 };
const walletCounts = { '200': 200, Hot: 1, '2000': 2_000 };

/** The subjects of a round, in order. */
const subjects: readonly Subject[] = [
  { name: 'bare200', ...bare, wallets: 200 },
  { name: 'bareHot', ...bare, wallets: 1 },
  { name: 'bareAlone', ...bare, ...alone },
  { name: 'oneAlone', processes: 1, ...alone },
  ...Object.entries(walletCounts).flatMap(([toWallets, wallets]) =>
    Object.entries(processCounts).map(([from, processes]) => ({
      name: `${from}${toWallets}`,
      processes,
      wallets,
      load: { inFlight: processes * inFlight, forMs },
    })),
  ),
  { name: 'oneFresh', processes: 1, ...fresh, load: freshLoad },
  { name: 'twoFresh', processes: 2, ...fresh, load: { ...freshLoad, inFlight: 2 * inFlight } },
];

/** CPU time in milliseconds per letter, of each party and of all but the caller. */
type Measured = SendLoad & CpuMs & { cpuMs: number };

/**
 * Prints how many letters per second 1, 2 and 4 API processes accept, compared with the naive way of one transaction
 * per letter, and which goals are met. The API gets 128 callers per process and writes its access log. `BENCH_ROUNDS`
 * and `BENCH_ONLY` (comma-separated names of `subjects`) shorten the run.
 *
 * The callers share the machine with the subjects, and the floors run in the callers' process.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const chosen = subjects.filter(({ name }) => !only || only.includes(name));
  const customerCount = Math.max(...chosen.map(({ wallets }) => wallets));
  const apiCount = Math.max(1, ...chosen.map(({ processes }) => processes));
  const bench = held.use(await openWalletBench({ customerCount, apiCount }));
  await warmUp(bench);
  const floor = await openFloor(customerCount);
  const found = new Map(chosen.map(({ name }): [string, Measured[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of chosen) found.get(subject.name)?.push(await measure(subject, bench, floor));
  }
  report(found);
}

/** Lets each process verify each upload, compile each code path and open its connections to the stores. */
async function warmUp({ customers, urls }: WalletBench): Promise<void> {
  const bodies = customers.map(({ s3Key }) => letterBody(s3Key));
  for (const url of urls) {
    const poster = createPoster([url], { connections: 128, wallets: customers.length });
    const send: Send = (n) =>
      poster.post(n, customers[n % customers.length]?.key ?? '', bodies[n % bodies.length] ?? '');
    await sendUnderLoad(send, { inFlight: 128, forMs: 60_000, maxCalls: Math.max(2_000, customers.length) });
    await poster.close();
  }
}

async function measure(subject: Subject, bench: WalletBench, floor: Floor): Promise<Measured> {
  const { processes, wallets, load, isFresh = false } = subject;
  if (processes === 0) return await measureCpu(bench, () => sendUnderLoad((n) => floor.send(n % wallets), load));
  const customers = bench.customers.slice(0, wallets);
  const customer = (n: number) => customers[n % wallets] ?? fail();
  const letters = isFresh ? Array.from({ length: load.maxCalls ?? 0 }, (_, n) => customer(n)) : customers;
  const s3Keys = isFresh ? await inParallel(letters, bench.freshUpload) : letters.map(({ s3Key }) => s3Key);
  const bodies = s3Keys.map(letterBody);
  const poster = createPoster(bench.urls.slice(0, processes), { connections: load.inFlight / processes, wallets });
  await poster.connect(customers.map(({ key }) => key));
  const send: Send = (n) => poster.post(n, customer(n).key, bodies[n % bodies.length] ?? '');
  const measured = await measureCpu(bench, () => sendUnderLoad(send, load));
  await poster.close();
  return measured;
}

async function measureCpu(bench: WalletBench, work: () => Promise<SendLoad>): Promise<Measured> {
  const before = bench.cpuMs();
  const load = await work();
  const after = bench.cpuMs();
  const letters = (load.perS * load.ms) / 1_000;
  const perLetter = (who: keyof typeof after) => (after[who] - before[who]) / letters;
  const [api, mongodb, redis] = [perLetter('api'), perLetter('mongodb'), perLetter('redis')];
  return { ...load, api, mongodb, redis, caller: perLetter('caller'), cpuMs: api + mongodb + redis };
}

/** A bound on the ratio of one figure of a subject to a figure of another in the same round. */
type RatioGoal = {
  name: string;
  ours: string;
  floor: string;
  figure: keyof Measured;
  /** The figure of the floor, if it is another one. */
  of?: keyof Measured;
  goal: Goal;
};

const beside = (from: string, wallets: string): RatioGoal[] => {
  const subject = { ours: `${from}${wallets}`, floor: `one${wallets}` };
  return [
    { name: `${subject.ours} / ${subject.floor}`, ...subject, figure: 'perS', goal: { atLeast: 0.95 } },
    { name: `${subject.ours} / ${subject.floor}, CPU`, ...subject, figure: 'cpuMs', goal: { atMost: 1.15 } },
  ];
};

const goals: RatioGoal[] = [
  { name: 'uploads seen', ours: 'one200', floor: 'bare200', figure: 'perS', goal: { atLeast: 2.5 } },
  { name: 'fresh uploads', ours: 'oneFresh', floor: 'bare200', figure: 'perS', goal: { atLeast: 1 } },
  { name: 'one hot wallet', ours: 'oneHot', floor: 'bareHot', figure: 'perS', goal: { atLeast: 10 } },
  {
    name: 'one hot wallet, p99',
    ours: 'oneHot',
    floor: 'bareAlone',
    figure: 'p99Ms',
    of: 'p50Ms',
    goal: { atMost: 30 },
  },
  { name: 'a letter alone, p50', ours: 'oneAlone', floor: 'bareAlone', figure: 'p50Ms', goal: { atMost: 2 } },
  ...['200', 'Hot', '2000'].flatMap((wallets) => ['two', 'four'].flatMap((from) => beside(from, wallets))),
];

function report(found: ReadonlyMap<string, Measured[]>): void {
  print('subject: letters per second, p50 and p99 in ms, CPU in ms per letter; median (min to max)');
  for (const [name, loads] of found) {
    const errors = loads.reduce((sum, { serverErrors }) => sum + serverErrors, 0);
    const parties = (['api', 'mongodb', 'redis', 'caller'] as const).map((who) => `${who} ${spread(loads, who, 2)}`);
    const waits = `p50 ${spread(loads, 'p50Ms', 1)}, p99 ${spread(loads, 'p99Ms', 0)}`;
    print(`${name}: ${spread(loads, 'perS', 0)}/s, ${waits}, CPU ${parties.join(', ')}, ${errors} x 5xx`);
  }
  const rows = goals.flatMap(({ name, figure, of = figure, goal, ...compared }) => {
    const [ours, floor] = [found.get(compared.ours), found.get(compared.floor)];
    if (!ours || !floor) return [];
    const measured = { ours: ours.map((load) => load[figure]), floor: floor.map((load) => load[of]) };
    return [{ name, unit: figure === 'perS' ? ('/s' as const) : ('ms' as const), goal, measured }];
  });
  print(describeGoals(rows));
}

function spread(loads: readonly Measured[], figure: keyof Measured, digits: number): string {
  const values = loads.map((load) => load[figure]);
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
  return `${middle.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}

function fail(): never {
  throw new Error('There are no customers.');
}
