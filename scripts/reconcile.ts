import { parseArgs } from 'node:util';
import { readConfig } from '../common/config/config.ts';
import { type Reconciliation, reconcile } from '../common/operations/reconcile.ts';
import type { Violation } from '../common/wallet/ledger/check-ledgers.ts';
import { findStores } from './admin/find-stores.ts';
import { OperatorError } from './program/operator-error.ts';
import { runProgram } from './program/run-program.ts';
import { requireMigrated, withMongo } from './program/with-mongo.ts';

/** A bound on memory, above what anyone reads. */
const maxShown = 1_000;
/** Exit code 1 means that the check itself failed. */
const exitCodeOfViolation = 2;

/** Reconciles wallets, ledger and mail jobs, and prints the violations. Changes nothing. */
async function main(): Promise<number> {
  const asJson = readOptions(process.argv.slice(2));
  const config = readConfig(await findStores(process.env));
  return await withMongo(config.mongo.url, 'bluejay-reconcile', async () => {
    await requireMigrated();
    const violations: Violation[] = [];
    const result = await reconcile({
      report(violation) {
        if (violations.length < maxShown) violations.push(violation);
      },
    });
    process.stdout.write(`${asJson ? JSON.stringify({ ...result, violations }) : describe(result, violations)}\n`);
    return result.violationCount === 0 ? 0 : exitCodeOfViolation;
  });
}

function readOptions(args: string[]): boolean {
  try {
    return parseArgs({ args, options: { json: { type: 'boolean', default: false } } }).values.json;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\nUsage: npm run reconcile -- [--json]`);
  }
}

function describe(
  { wallets, entries, mailJobs, violationCount }: Reconciliation,
  violations: readonly Violation[],
): string {
  const checked = `Checked ${wallets} wallets, ${entries} ledger entries and ${mailJobs} mail jobs`;
  if (violationCount === 0) return `${checked}: all of it adds up.`;
  const lines = violations.map(
    ({ subject, id, rule, expected, found }) => `${subject} ${id}: ${rule}: expected ${expected}, found ${found}`,
  );
  const more = violationCount > violations.length ? [`… and ${violationCount - violations.length} more`] : [];
  return [...lines, ...more, `${checked}: ${violationCount} violations. Nothing was changed.`].join('\n');
}

await runProgram(main);
