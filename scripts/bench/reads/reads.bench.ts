import { resolve } from 'node:path';
import { plusMs, systemClock } from '#common/clock.ts';
import { openBenchService } from '../bench-service.ts';
import { describeGoals, type Goal, type GoalRow } from '../goal-table.ts';
import { print } from '../measure.ts';
import { type BenchRequest, compareLatency, compareThroughput } from './compare-requests.ts';
import { prepareReads, type StoredReads } from './prepare-reads.ts';
import { customerOf } from './store-jobs.ts';

/** Keeps the letters for the next run. */
const dataDir = resolve('.data', 'bench-reads');
const largeCount = Number(process.env.BENCH_JOBS || 1_000_000);
const smallCount = 1_000;
const perRound = 200;
const deepPage = 1_000;

const halfYearMs = 182 * 24 * 60 * 60 * 1000;

/** Returns every filter of GET /v1/mails with a value that matches at least a page of letters where possible. */
function filtersOf({ externalId }: StoredReads): string[][] {
  const halfYearAgo = plusMs(systemClock.now(), -halfYearMs).toISOString();
  return [
    ['status', 'posted'],
    ['status', 'failed'],
    ['zone', 'INTERNATIONAL'],
    ['serviceType', 'registered'],
    ['externalId', externalId],
    ['createdAfter', halfYearAgo],
    ['createdBefore', halfYearAgo],
    ['updatedAfter', halfYearAgo],
    ['metadata[customer]', customerOf(1)],
  ];
}

/** Prints the cost of reads with a million letters stored, each figure beside its floor. */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const service = held.use(await openBenchService(dataDir));
  const large = await prepareReads(service, { name: 'large', count: largeCount, dataDir });
  const small = await prepareReads(service, { name: 'small', count: smallCount, dataDir });
  const floor = await service.startFloor('scripts/bench/reads/bare-mail-server.ts', 'large');
  print(`One API process and one bare Express process, both on ${largeCount.toLocaleString('en')} letters; another`);
  print(`API on ${smallCount.toLocaleString('en')}. NODE_ENV=production. Ratios: medians of 5 alternating rounds.\n`);
  const rows = [...(await measureJob(large, floor.origin)), ...(await measureLists(large, small))];
  print(describeGoals(rows));
}

/** Measures reading one letter and repeating its send request. */
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
      measured: await compareThroughput(getJob, bareGet, 32),
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
  for (const filter of filtersOf(large)) {
    const filtered = authorized(large, `/v1/mails?${new URLSearchParams([filter])}`);
    rows.push(await latency(`list, ${filter.join('=')} / no filter`, filtered, list, { atMost: 1.3 }));
  }
  return rows;
}

async function latency(name: string, ours: BenchRequest, floor: BenchRequest, goal: Goal): Promise<GoalRow> {
  return { name, unit: 'ms', goal, measured: await compareLatency(ours, floor, perRound) };
}

function authorized({ origin, key }: StoredReads, path: string, headers: Record<string, string> = {}): BenchRequest {
  return { origin, path, headers: { authorization: `Bearer ${key}`, ...headers } };
}

/** Returns the cursor of the page with this number by walking all pages before it. */
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
