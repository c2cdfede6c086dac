import { readConfig } from '#common/config/config.ts';
import { findStores } from './admin/find-stores.ts';
import { runProgram } from './program/run-program.ts';
import { requireMigrated, withMongo } from './program/with-mongo.ts';
import { checkLedger, readOptions } from './reconcile/check-ledger.ts';

/** Reconciles wallets, ledger and mail jobs, and prints the violations. Changes nothing. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const config = readConfig(await findStores(process.env));
  return await withMongo(config.mongo.url, 'bluejay-reconcile', async () => {
    await requireMigrated();
    const { text, exitCode } = await checkLedger(options);
    process.stdout.write(`${text}\n`);
    return exitCode;
  });
}

await runProgram(main);
