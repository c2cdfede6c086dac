import { plusMs } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import { newId } from '#common/ids.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { moveMoney, walletIdOf } from '#common/wallet/ledger/move-money.ts';
import { readRun } from '#common/wallet/ledger/read-ledger.ts';
import { openBenchService } from '../bench-service.ts';
import { print, printRow, readMemoryMb, timeMs, watchMost } from '../measure.ts';
import { type BenchAccount, openBenchAccount } from '../open-bench-account.ts';

const entryCount = 100_000;
const batchSize = 250;
const rounds = 5;
const sampleEveryMs = 5;
const month = '2026-03';
const startsAt = new Date('2026-03-01T00:00:00.000Z');
const goal = { ms: 2_000, growthMb: 50 };

/** Prints the time of a statement of 100,000 letters as JSON and as CSV, and the growth of the API's memory. */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const service = held.use(await openBenchService());
  const account = await fillLedger(await service.openDatabase('statement'));
  const api = await service.startApi('statement');
  await measure(`${api.origin}/v1/wallet/statements/${month}`, account, api.pid);
}

/** Writes the debits with `moveMoney`, so the ledger has the shape that letters give it. */
async function fillLedger(config: Config): Promise<BenchAccount> {
  const account = await openBenchAccount(config, 'live', { cents: entryCount * 221, at: startsAt });
  const { owner } = account;
  const vat = [
    { percent: 0, netCents: -163, vatCents: 0 },
    { percent: 21, netCents: -48, vatCents: -10 },
  ];
  for (let written = 0; written < entryCount; written += batchSize) {
    const debits = Array.from({ length: batchSize }, () => {
      const mailJobId = newId('mj');
      return { owner, kind: 'debit' as const, amountCents: -221, key: `debit:${mailJobId}`, mailJobId, vat };
    });
    await inTransaction((transaction) => moveMoney(transaction, debits, plusMs(startsAt, written)));
  }
  return account;
}

async function measure(url: string, { owner, key }: BenchAccount, apiPid: number): Promise<void> {
  const idleMb = readMemoryMb(apiPid);
  const timeWholeMs = async (work: () => Promise<void>) => Math.round(await timeMs(work));
  printRow('round', 'reading alone, ms', 'JSON, ms', 'CSV, ms', 'memory at most, MB');
  const rows: [floor: number, json: number, csv: number, mb: number][] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const floor = await timeWholeMs(() => readAlone(walletIdOf(owner)));
    const memory = watchMost(() => readMemoryMb(apiPid), sampleEveryMs);
    const json = await timeWholeMs(() => download(url, key, /"closingBalanceCents":0\}$/));
    const csv = await timeWholeMs(() => download(`${url}?format=csv`, key, /^closing,[^\n]*\r\n$/m));
    const mb = memory.stop();
    printRow(round, floor, json, csv, mb);
    rows.push([floor, json, csv, mb]);
  }
  const growthMb = Math.max(...rows.map((row) => row[3])) - idleMb;
  const spread = (column: 0 | 1 | 2) => {
    const values = rows.map((row) => row[column]);
    return `${Math.min(...values)} to ${Math.max(...values)} ms`;
  };
  print(
    `${entryCount} letters in a month: JSON ${spread(1)}, CSV ${spread(2)} (goal: below ${goal.ms} ms); ` +
      `reading alone ${spread(0)}`,
  );
  print(
    `memory: ${idleMb} MB before the first statement, grew by ${growthMb.toFixed(1)} MB at most ` +
      `(goal: below ${goal.growthMb} MB)`,
  );
}

/** The floor: reads the same entries in this process without formatting them. */
async function readAlone(walletId: string): Promise<void> {
  let count = 0;
  for await (const entries of readRun(walletId, 0, entryCount + 1)) count += entries.length;
  if (count !== entryCount + 1) throw new Error(`${count} entries were read`);
}

async function download(url: string, key: string, end: RegExp): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok || !response.body) throw new Error(`The statement was answered with ${response.status}.`);
  let last = '';
  // Keeps only the end, because buffering the body here would slow down the measured process.
  for await (const chunk of response.body) last = (last + Buffer.from(chunk).toString('latin1')).slice(-400);
  if (!end.test(last)) throw new Error(`The statement does not end as it should: ${last}`);
}
