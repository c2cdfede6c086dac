import { parseArgs } from 'node:util';
import { type Reconciliation, reconcile } from '#common/operations/reconcile.ts';
import type { Violation } from '#common/wallet/ledger/check-ledgers.ts';
import { OperatorError } from '../program/operator-error.ts';

/** A bound on memory, above what anyone reads. */
const maxShown = 1_000;
/** Exit code 1 means that the check itself failed. */
const exitCodeOfViolation = 2;

/** Returns whether the result is wanted as JSON. Throws OperatorError. */
export function readOptions(args: string[]): { asJson: boolean } {
  try {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
    return { asJson: values.json };
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\nUsage: npm run reconcile -- [--json]`);
  }
}

/** Reconciles the connected database, and returns what the command prints and its exit code. Changes nothing. */
export async function checkLedger({ asJson }: { asJson: boolean }): Promise<{ text: string; exitCode: number }> {
  const violations: Violation[] = [];
  const result = await reconcile({
    report(violation) {
      if (violations.length < maxShown) violations.push(violation);
    },
  });
  return {
    text: asJson ? JSON.stringify({ ...result, violations }) : describe(result, violations),
    exitCode: result.violationCount === 0 ? 0 : exitCodeOfViolation,
  };
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
