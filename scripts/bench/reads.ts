import { resolve } from 'node:path';
import { openBenchService } from './bench-service.ts';
import { describeGoals, type Goal, type GoalRow } from './goal-table.ts';
import { type BenchRequest, compareLatency, compareThroughput } from './measure.ts';
import { prepareReads, type StoredReads } from './prepare-reads.ts';

/** The letters stay in this folder for the next run; without it they are made anew. */
const dataDir = resolve('.data', 'bench-reads');
const largeCount = Number(process.env.BENCH_JOBS || 1_000_000);
const smallCount = 1_000;
const perRound = 200;
const deepPage = 1_000;

/** What GET /v1/mails can be narrowed by, each with a value that leaves enough for a page where it can. */
const filters = ({ externalId }: StoredReads): Record<string, string> => ({
  'status=posted': 'status=posted',
  'status=failed': 'status=failed',
  externalId: `externalId=${externalId}`,
});

/** Prints what reading costs at a million letters, each figure beside its floor. */
export async function run(): Promise<void> {
  const service = await openBenchService(dataDir);
  try {
    const large = await prepareReads(service, { name: 'large', count: largeCount, dataDir });
    const small = await prepareReads(service, { name: 'small', count: smallCount, dataDir });
    const floor = await service.startFloor('bare-mail-server.ts', large.databaseUrl);
    print(`One API process and one bare Express process, both on ${largeCount.toLocaleString('en')} letters; another`);
    print(`API on ${smallCount.toLocaleString('en')}. NODE_ENV=production. Ratios: the median of 5 rounds, in turn.\n`);
    const rows = [...(await measureJob(large, floor)), ...(await measureLists(large, small))];
    print(describeGoals(rows));
  } finally {
    await service.close();
  }
}

/** One letter: read, and its request repeated. */
async function measureJob(large: StoredReads, floor: string): Promise<GoalRow[]> {
  const getJob = authorized(large, `/v1/mails/${large.mailJobId}`);
  const bareGet: BenchRequest = { origin: floor, path: `/v1/mails/${large.mailJobId}` };
  const json = { 'content-type': 'application/json' };
  const repeat: BenchRequest = { ...authorized(large, '/v1/mails', json), method: 'POST', body: large.repeatBody };
  return [
    {
      name: 'GET one letter, 32 in flight / bare Express and findOne',
      unit: '/s',
      goal: { atLeast: 0.7 },
      measured: await compareThroughput(getJob, bareGet, { inFlight: 32, turnMs: 2_000 }),
    },
    await latency('POST of a known letter (repeat) / GET it', repeat, getJob, { atMost: 1.3 }),
  ];
}

async function measureLists(large: StoredReads, small: StoredReads): Promise<GoalRow[]> {
  const list = authorized(large, '/v1/mails');
  const deep = authorized(large, `/v1/mails?cursor=${await findCursor(list, deepPage)}`);
  const rows = [
    await latency(`list, ${format(largeCount)} / ${format(smallCount)}`, list, authorized(small, '/v1/mails'), {
      atMost: 1.15,
    }),
    await latency(`list, page ${format(deepPage)} / page 1`, deep, list, { atMost: 1.2 }),
  ];
  for (const [name, query] of Object.entries(filters(large))) {
    const filtered = authorized(large, `/v1/mails?${query}`);
    rows.push(await latency(`list, ${name} / no filter`, filtered, list, { atMost: 1.3 }));
  }
  return rows;
}

async function latency(name: string, ours: BenchRequest, floor: BenchRequest, goal: Goal): Promise<GoalRow> {
  return { name, unit: 'ms', goal, measured: await compareLatency(ours, floor, perRound) };
}

function authorized({ origin, key }: StoredReads, path: string, headers: Record<string, string> = {}): BenchRequest {
  return { origin, path, headers: { authorization: `Bearer ${key}`, ...headers } };
}

/** The cursor with which the page of this number begins: the way there is page by page. */
async function findCursor({ origin, path, headers = {} }: BenchRequest, page: number): Promise<string> {
  let cursor = '';
  for (let number = 1; number < page; number += 1) {
    const query = cursor === '' ? '' : `?cursor=${cursor}`;
    const answer = await fetch(`${origin}${path}${query}`, { headers });
    const { nextCursor } = (await answer.json()) as { nextCursor: string | null };
    if (nextCursor === null) return cursor;
    cursor = nextCursor;
  }
  return cursor;
}

function format(count: number): string {
  return count.toLocaleString('en');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
