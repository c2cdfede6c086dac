import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../common/clock.ts';
import { reconcile, reconcileChore } from '../common/mail-jobs/reconcile.ts';
import { readLastRun } from '../common/platform/chore.model.ts';
import type { Log } from '../common/platform/log.ts';
import type { Violation } from '../common/wallet/violation.ts';

/** Violations named in one log line; the command names all of them. */
const maxNamed = 20;
/** A scrape must not wait for a database that is away. */
const metricsTimeoutMs = 1_000;

/** Holds the money against the mail jobs, and cries out when something does not fit. Returns how much does not. */
export async function reconcileAndTell(log: Log, signal: AbortSignal): Promise<number> {
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
 * What the last check found, and how long ago it ended, whichever process made it. Both are absent before the first
 * one.
 */
export function registerReconcileMetrics(registry: Registry, clock: Clock): void {
  const read = async () => {
    const { promise: tooLate, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), metricsTimeoutMs);
    const lastRun = readLastRun(reconcileChore).catch(() => null);
    return await Promise.race([lastRun, tooLate]).finally(() => clearTimeout(timer));
  };
  const violations: Gauge = new Gauge({
    name: 'wallet_invariant_violations',
    help: 'What did not add up at the last check of wallets, ledger and mail jobs.',
    registers: [registry],
    async collect() {
      const lastRun = await read();
      violations.remove();
      if (lastRun) violations.set(lastRun.count);
    },
  });
  const age: Gauge = new Gauge({
    name: 'ledger_reconcile_age_seconds',
    help: 'Seconds since the last check of wallets, ledger and mail jobs ended.',
    registers: [registry],
    async collect() {
      const lastRun = await read();
      age.remove();
      if (lastRun) age.set((clock.now().getTime() - lastRun.at.getTime()) / 1_000);
    },
  });
}
