import { openFloor } from './wallet-floor.ts';
import { letterBody } from './wallet-letter.ts';
import { createPoster, type Load, type LoadOptions, putUnderLoad, type Send } from './wallet-load.ts';
import { inParallel, openBenchWorld } from './wallet-world.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const only = process.env.BENCH_ONLY?.split(',');
const forMs = 2_000;
const inFlight = 128;
const freshLetters = 1_000;

type Measured = Load & { apiMs: number; mongodbMs: number };
type Subject = { name: string; load: LoadOptions; send: Send };

/** Prints how fast letters are taken beside the naive way, one transaction each, and how that stands to the goals. */
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
          apiMs: (after.api - before.api) / sends,
          mongodbMs: (after.mongodb - before.mongodb) / sends,
        });
      }
    }
    for (const [name, loads] of found) {
      const errors = loads.reduce((sum, { serverErrors }) => sum + serverErrors, 0);
      process.stdout.write(
        `${name}: ${spread(loads, 'perS', 0)}/s, p50 ${spread(loads, 'p50Ms', 1)}, p99 ${spread(loads, 'p99Ms', 0)}, CPU ms api ${spread(loads, 'apiMs', 2)} mongodb ${spread(loads, 'mongodbMs', 2)}, 5xx ${errors}\n`,
      );
    }
    await one.close();
    await both.close();
  } finally {
    await world.close();
  }
}

function spread(loads: readonly Measured[], field: keyof Measured, digits: number): string {
  const sorted = loads.map((load) => load[field]).sort((a, b) => a - b);
  const show = (n: number | undefined) => (n ?? 0).toFixed(digits);
  return `${show(sorted[Math.floor(sorted.length / 2)])} (${show(sorted[0])} to ${show(sorted.at(-1))})`;
}

function fail(): never {
  throw new Error('There are no customers.');
}
