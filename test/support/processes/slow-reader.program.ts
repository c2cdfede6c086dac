import { setTimeout as sleep } from 'node:timers/promises';
import { connectMongo } from '#common/platform/mongo/mongo.ts';
import { readRun } from '#common/wallet/ledger/read-ledger.ts';

// Reads the first batch of a ledger, waits, then reads the next. Prints the code of the error that it gets.
const [url = '', appName = '', walletId = ''] = process.argv.slice(2);
await connectMongo(url, appName);
const run = readRun(walletId, 0, 1_000);
await run.next();
await sleep(200);
const met = await run.next().catch((error: { code: number }) => error.code);
process.stdout.write(`met ${String(met)}\n`, () => process.exit(0));
