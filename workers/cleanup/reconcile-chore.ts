import type { Registry } from 'prom-client';
import type { Clock } from '#common/clock.ts';
import { reconcile, reconcileChore } from '#common/operations/reconcile.ts';
import { readLastRun } from '#common/platform/due-work/chore.model.ts';
import type { Log } from '#common/platform/process/log.ts';
import { registerGauge, type ScanState, whileScanning } from '#common/platform/process/metrics.ts';
import type { Violation } from '#common/wallet/ledger/check-ledgers.ts';

/** The most violations in one log line. The command `reconcile` prints all. */
const maxNamed = 20;

/** Reconciles the ledger with the mail jobs. Logs violations, and returns their number. */
export async function reconcileAndLog(log: Log, signal: AbortSignal): Promise<number> {
  const violations: Violation[] = [];
  const { violationCount, ...checked } = await reconcile({
    report(violation) {
      if (violations.length < maxNamed) violations.push(violation);
    },
    signal,
  });
  if (violationCount === 0) log.info(checked, 'the ledger adds up');
  else log.error({ ...checked, violationCount, violations }, 'the ledger does not add up');

  return violationCount;
}

/**
 * Registers metrics of the last reconciliation by any process, in the process that scans: violations found and age. Absent
 * before the first run.
 */
export function registerReconcileMetrics(registry: Registry, clock: Clock, scanState: ScanState): void {
  const whileHolding = (read: () => Promise<number | null>) => whileScanning(scanState, read, null);
  const violations = {
    name: 'wallet_invariant_violations',
    help: 'Violations found by the last reconciliation of wallets, ledger and mail jobs.',
  };
  registerGauge(
    registry,
    violations,
    whileHolding(async () => (await readLastRun(reconcileChore))?.count ?? null),
  );
  const age = {
    name: 'ledger_reconcile_age_seconds',
    help: 'Seconds since the last reconciliation of wallets, ledger and mail jobs ended.',
  };
  const readAge = async () => {
    const lastRun = await readLastRun(reconcileChore);
    return lastRun && (clock.now().getTime() - lastRun.at.getTime()) / 1_000;
  };
  registerGauge(registry, age, whileHolding(readAge));
}
