import { Pool } from 'undici';
import { alternate, median, putUnderLoad, type Rounds, timeMs } from '../measure.ts';

/** A request that is sent repeatedly. Any status but 200 fails the benchmark. */
export type BenchRequest = {
  /** Scheme, host and port, without a trailing slash. */
  origin: string;
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

type Send = () => Promise<void>;

/** How a round is measured: `samples` of each side by turns, and the figure of the round that they make. */
type Comparison = {
  connections: number;
  warmUps: number;
  samples: number;
  sample(send: Send): Promise<number>;
  figure(samples: readonly number[]): number;
};

const rounds = 5;
/** Throughput is measured in this many alternating slices per round. */
const slices = 6;
const sliceMs = 300;

/** Compares two requests sent one at a time. Medians in milliseconds. */
export async function compareLatency(ours: BenchRequest, floor: BenchRequest, perRound: number): Promise<Rounds> {
  const one = { connections: 1, warmUps: 50, samples: perRound };
  return await compare(ours, floor, { ...one, sample: timeMs, figure: median });
}

/** Compares requests per second of two subjects, with `inFlight` concurrent requests in short alternating slices. */
export async function compareThroughput(ours: BenchRequest, floor: BenchRequest, inFlight: number): Promise<Rounds> {
  const sample = async (send: Send) => (await putUnderLoad(send, { inFlight, forMs: sliceMs })).perS;
  const figure = (perS: readonly number[]) => perS.reduce((sum, each) => sum + each, 0) / slices;
  return await compare(ours, floor, { connections: inFlight, warmUps: slices, samples: slices, sample, figure });
}

async function compare(ours: BenchRequest, floor: BenchRequest, comparison: Comparison): Promise<Rounds> {
  const { connections, warmUps, samples, sample, figure } = comparison;
  const [oursPool, floorPool] = [new Pool(ours.origin, { connections }), new Pool(floor.origin, { connections })];
  const sampleOurs = () => sample(() => send(oursPool, ours));
  const sampleFloor = () => sample(() => send(floorPool, floor));
  const figures: Rounds = { ours: [], floor: [] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const sampled = await alternate(samples, sampleOurs, sampleFloor, round === 0 ? warmUps : 0);
      figures.ours.push(figure(sampled.ours));
      figures.floor.push(figure(sampled.floor));
    }
    return figures;
  } finally {
    await Promise.all([oursPool.destroy(), floorPool.destroy()]);
  }
}

async function send(pool: Pool, { method = 'GET', path, headers = {}, body }: BenchRequest): Promise<void> {
  const answer = await pool.request({ method, path, headers, body: body ?? null });
  const bytes = await answer.body.arrayBuffer();
  if (answer.statusCode === 200) return;
  throw new Error(`${method} ${path} answered ${answer.statusCode}: ${Buffer.from(bytes).toString().slice(0, 300)}`);
}
