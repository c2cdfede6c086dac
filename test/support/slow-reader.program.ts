import { setTimeout as sleep } from 'node:timers/promises';
import { connectMongo } from '../../common/platform/mongo.ts';
import { readRun } from '../../common/wallet/read-ledger.ts';

/** Reads a ledger's first batch, takes its time, and comes for the next one; prints the code of the error it meets. */
const [url = '', appName = '', walletId = ''] = process.argv.slice(2);
await connectMongo(url, appName);
const run = readRun(walletId, 0, 1_000);
await run.next();
await sleep(200);
const met = await run.next().catch((error: { code: number }) => error.code);
process.stdout.write(`met ${String(met)}\n`, () => process.exit(0));
