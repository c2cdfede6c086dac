import { once } from 'node:events';
import { setImmediate as nextIteration } from 'node:timers/promises';
import mongoose from 'mongoose';
import { connectMongo } from '#common/platform/mongo/mongo.ts';
import { readRun } from '#common/wallet/ledger/read-ledger.ts';

// Reads the first batch of a ledger, waits until the server has refused to read ahead, then reads the next. Prints the
// code of the error that it gets.
const [url = '', appName = '', walletId = ''] = process.argv.slice(2);
const watched = new URL(url);
watched.searchParams.set('monitorCommands', 'true');
await connectMongo(watched.href, appName);
const refused = once(mongoose.connection.getClient(), 'commandFailed');
const run = readRun(walletId, 0, 1_000);
await run.next();
await refused;
// An unhandled rejection would end the process here.
await nextIteration();
const met = await run.next().catch((error: { code: number }) => error.code);
process.stdout.write(`met ${String(met)}\n`, () => process.exit(0));
