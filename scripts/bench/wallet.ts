import { openFloor } from './wallet-floor.ts';
import { letterBody } from './wallet-letter.ts';
import { createPoster, type Load, type LoadOptions, putUnderLoad, type Send } from './wallet-load.ts';
import { type CpuMs, inParallel, openBenchWorld } from './wallet-world.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const only = process.env.BENCH_ONLY?.split(',');
const forMs = 2_000;
const inFlight = 128;
const freshLetters = 1_000;

type Measured = Load & CpuMs;
type Subject = { name: string; load: LoadOptions; send: Send };

/**
 * Prints how fast letters are taken beside the naive way, one transaction each, and how that stands to the goals. The
 * floors use 32 callers, at which they are fastest; ours 128 a process, the access log on. `BENCH_ROUNDS` and
 * `BENCH_ONLY` (subjects by name, with commas) shorten it.
 *
 * The callers share the machine with what they measure, and a floor runs in their process. Two processes on the same
 * wallets take turns, of some 100 letters and 30 ms each, and 7 ms pass from one to the other. On 2 cores they come to
 * 0.85 of what one does alone: a letter costs 0.65 ms of CPU, where one process alone needs 0.48 ms and leaves a quarter
 * of the machine idle. Tried without gain: several commits a turn (50 ms: 0.75; 100 ms: 0.57), a turn given back before
 * its commit is answered, looks every millisecond, smaller commits (64: 0.84).
 */
export async function run(): Promise<void> {
  const world = await openBenchWorld();
  try {
    const { customers, urls } = world;
    const [one, both] = [createPoster(urls.slice(0, 1), inFlight), createPoster(urls, inFlight)];
    const customer = (n: number) => customers[n % customers.length] ?? fail();
    const bodies = customers.map(({ s3Key }) => letterBody(s3Key));
    const sendOf =
      ({ post }: typeof one, wallets: number): Send =>
      (n) =>
        post(n, customer(n % wallets).key, bodies[n % wallets] ?? '');
    // Each upload is seen, each connection open, and each code path hot before anything is measured.
    for (const poster of [one, both]) await putUnderLoad(sendOf(poster, customers.length), { inFlight, forMs: 2_000 });
    const floor = await openFloor(customers.length);
    const bare =
      (wallets: number): Send =>
      async (n) => {
        await floor.send(n % wallets);
        return 201;
      };
    let fresh: string[] = [];
    const sendFresh =
      ({ post }: typeof one): Send =>
      (n) =>
        post(n, customer(n).key, fresh[n] ?? '');
    const busy = { inFlight, forMs };
    const alone = { inFlight: 1, forMs: 1_000 };
    const freshOnes = { inFlight, forMs: 60_000, maxSends: freshLetters };
    const all: Subject[] = [
      { name: 'bare200', load: { inFlight: 32, forMs }, send: bare(customers.length) },
      { name: 'bareHot', load: { inFlight: 32, forMs }, send: bare(1) },
      { name: 'bareAlone', load: alone, send: bare(1) },
      { name: 'one200', load: busy, send: sendOf(one, customers.length) },
      { name: 'oneHot', load: busy, send: sendOf(one, 1) },
      { name: 'oneAlone', load: alone, send: sendOf(one, 1) },
      { name: 'two200', load: { inFlight: 2 * inFlight, forMs }, send: sendOf(both, customers.length) },
      { name: 'twoHot', load: { inFlight: 2 * inFlight, forMs }, send: sendOf(both, 1) },
      { name: 'oneFresh', load: freshOnes, send: sendFresh(one) },
      { name: 'twoFresh', load: { ...freshOnes, inFlight: 2 * inFlight }, send: sendFresh(both) },
    ];
    const subjects = all.filter(({ name }) => !only || only.includes(name));
    const found = new Map(subjects.map(({ name }): [string, Measured[]] => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, load, send } of subjects) {
        if (name.endsWith('Fresh')) {
          const owners = Array.from({ length: freshLetters }, (_, n) => customer(n));
          fresh = (await inParallel(owners, world.freshUpload)).map(letterBody);
        }
        const before = await world.cpuMs();
        const measured = await putUnderLoad(send, load);
        const after = await world.cpuMs();
        const sends = (measured.perS * measured.ms) / 1000;
        found.get(name)?.push({
          ...measured,
          api: (after.api - before.api) / sends,
          mongodb: (after.mongodb - before.mongodb) / sends,
          redis: (after.redis - before.redis) / sends,
          caller: (after.caller - before.caller) / sends,
        });
      }
    }
    report(found);
    await one.close();
    await both.close();
  } finally {
    await world.close();
  }
}

/** Ours over a floor, both as medians; `over` turns a wait round. */
const goals = [
  { goal: 'one process, 200 wallets, uploads seen', ours: 'one200', floor: 'bare200', atLeast: 2.5 },
  { goal: 'one process, 200 wallets, fresh uploads', ours: 'oneFresh', floor: 'bare200', atLeast: 1 },
  { goal: 'one process, one hot wallet', ours: 'oneHot', floor: 'bareHot', atLeast: 10 },
  { goal: 'two processes beside one, 200 wallets', ours: 'two200', floor: 'one200', atLeast: 1 },
  { goal: 'two processes beside one, one hot wallet', ours: 'twoHot', floor: 'oneHot', atLeast: 1 },
];

function report(found: ReadonlyMap<string, Measured[]>): void {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  print('subject: letters a second, p50 and p99 in ms, CPU in ms a letter; median (least to most)');
  for (const [name, loads] of found) {
    const errors = loads.reduce((sum, { serverErrors }) => sum + serverErrors, 0);
    const [api, mongodb, redis, caller] = (['api', 'mongodb', 'redis', 'caller'] as const).map((who) =>
      spread(loads, who, 2),
    );
    const cpu = `CPU api ${api}, mongodb ${mongodb}, redis ${redis}, caller ${caller}`;
    const waits = `p50 ${spread(loads, 'p50Ms', 1)}, p99 ${spread(loads, 'p99Ms', 0)}`;
    print(`${name}: ${spread(loads, 'perS', 0)}/s, ${waits}, ${cpu}, ${errors} x 5xx`);
  }
  const say = (goal: string, value: number, isMet: boolean, wanted: string) =>
    print(`${isMet ? 'met   ' : 'MISSED'} ${goal}: ${value.toFixed(2)} (${wanted})`);
  for (const { goal, ours, floor, atLeast } of goals) {
    const ratio = median(found.get(ours), 'perS') / median(found.get(floor), 'perS');
    if (Number.isFinite(ratio)) say(goal, ratio, ratio >= atLeast, `at least ${atLeast}`);
  }
  const alone = median(found.get('oneAlone'), 'p50Ms') / median(found.get('bareAlone'), 'p50Ms');
  if (Number.isFinite(alone)) say('a letter alone, p50 beside a bare transaction', alone, alone <= 2, 'at most 2');
  const p99Ms = median(found.get('oneHot'), 'p99Ms');
  if (found.has('oneHot')) say('one hot wallet, p99 in ms', p99Ms, p99Ms < 150, 'below 150');
}

function median(loads: readonly Measured[] | undefined, field: keyof Measured): number {
  const sorted = (loads ?? []).map((load) => load[field]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function spread(loads: readonly Measured[], field: keyof Measured, digits: number): string {
  const sorted = loads.map((load) => load[field]).sort((a, b) => a - b);
  const show = (n: number | undefined) => (n ?? 0).toFixed(digits);
  return `${show(sorted[Math.floor(sorted.length / 2)])} (${show(sorted[0])} to ${show(sorted.at(-1))})`;
}

function fail(): never {
  throw new Error('There are no customers.');
}
