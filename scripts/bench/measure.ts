import { Pool } from 'undici';

/** A request that is sent repeatedly. Any status but 200 fails the benchmark. */
export type BenchRequest = {
  /** Scheme, host and port, without a trailing slash. */
  origin: string;
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

/** Our figure and its floor from the same run: medians over all rounds, and the ratio of each round. */
export type Measured = { ours: number; floor: number; ratios: number[] };

const rounds = 5;
const warmUps = 50;
/** Throughput is measured in this many alternating slices per round. */
const slices = 6;
const sliceMs = 300;

/** Compares two requests sent one at a time, alternating because noise must affect both. Medians in milliseconds. */
export async function compareLatency(ours: BenchRequest, floor: BenchRequest, perRound: number): Promise<Measured> {
  return await withPools(ours, floor, 1, async (sendOurs, sendFloor) => {
    await repeat(warmUps, async () => {
      await sendOurs();
      await sendFloor();
    });
    return await measureRounds(async () => {
      const [oursMs, floorMs]: [number[], number[]] = [[], []];
      await repeat(perRound, async () => {
        oursMs.push(await timeMs(sendOurs));
        floorMs.push(await timeMs(sendFloor));
      });
      return [median(oursMs), median(floorMs)];
    });
  });
}

/** Compares requests per second of two subjects, with `inFlight` concurrent requests in short alternating slices. */
export async function compareThroughput(ours: BenchRequest, floor: BenchRequest, inFlight: number): Promise<Measured> {
  return await withPools(ours, floor, inFlight, async (sendOurs, sendFloor) => {
    const alternate = async (): Promise<[number, number]> => {
      let [oursPerS, floorPerS] = [0, 0];
      await repeat(slices, async () => {
        oursPerS += (await countPerS(sendOurs, inFlight)) / slices;
        floorPerS += (await countPerS(sendFloor, inFlight)) / slices;
      });
      return [oursPerS, floorPerS];
    };
    await alternate();
    return await measureRounds(alternate);
  });
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

type Send = () => Promise<void>;

async function withPools(
  ours: BenchRequest,
  floor: BenchRequest,
  connections: number,
  work: (sendOurs: Send, sendFloor: Send) => Promise<Measured>,
): Promise<Measured> {
  const pools = [ours, floor].map(({ origin }) => new Pool(origin, { connections }));
  const [oursPool, floorPool] = pools as [Pool, Pool];
  try {
    return await work(
      () => send(oursPool, ours),
      () => send(floorPool, floor),
    );
  } finally {
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}

async function send(pool: Pool, { method = 'GET', path, headers = {}, body }: BenchRequest): Promise<void> {
  const answer = await pool.request({ method, path, headers, body: body ?? null });
  const bytes = await answer.body.arrayBuffer();
  if (answer.statusCode === 200) return;
  throw new Error(`${method} ${path} answered ${answer.statusCode}: ${Buffer.from(bytes).toString().slice(0, 300)}`);
}

async function measureRounds(round: () => Promise<[ours: number, floor: number]>): Promise<Measured> {
  const measured: [number, number][] = [];
  await repeat(rounds, async () => void measured.push(await round()));
  return {
    ours: median(measured.map(([ours]) => ours)),
    floor: median(measured.map(([, floor]) => floor)),
    ratios: measured.map(([ours, floor]) => ours / floor),
  };
}

async function countPerS(work: Send, inFlight: number): Promise<number> {
  const startMs = performance.now();
  let count = 0;
  const lane = async () => {
    while (performance.now() - startMs < sliceMs) {
      await work();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return (count / (performance.now() - startMs)) * 1000;
}

async function timeMs(work: Send): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

async function repeat(times: number, work: () => Promise<void>): Promise<void> {
  for (let time = 0; time < times; time += 1) await work();
}
