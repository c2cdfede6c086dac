import type { Owner } from '#common/modes.ts';
import { sumLetters } from '#common/wallet/ledger/sum-ledger.ts';
import { readReport, reportLimitMs } from './match-letters.ts';
import { type ReportPeriod, wholeOf } from './report-period.ts';

/** In cents. `spentCents` is what was debited less what was refunded, and negative when more came back. */
export type Spend = { letters: number; debitedCents: number; refundedCents: number; spentCents: number };
export type SpendReport = { data: ({ period: string } & Spend)[]; totals: Spend };

/**
 * Sums what letters took from the wallet in each span, from the ledger. A refund counts when it was paid, as in
 * statements. Top-ups and adjustments are not included. Throws SERVICE_UNAVAILABLE when it takes longer than 8 s, and
 * RATE_LIMITED when many reports wait.
 */
export async function readSpendReport(owner: Owner, period: ReportPeriod): Promise<SpendReport> {
  const starts = period.spans.map(({ startsAt }) => startsAt);
  const sums = await readReport(owner, () => sumLetters(owner, { starts, end: wholeOf(period).endsAt }, reportLimitMs));
  const sumOf = new Map(sums.map((sum) => [sum.bucket, sum]));
  const data = period.spans.map(({ name }, bucket) => {
    const { debitCount = 0, debitedCents = 0, refundedCents = 0 } = sumOf.get(bucket) ?? {};
    return { period: name, letters: debitCount, debitedCents, refundedCents, spentCents: debitedCents - refundedCents };
  });
  const total = (name: keyof Spend) => data.reduce((sum, row) => sum + row[name], 0);
  return {
    data,
    totals: {
      letters: total('letters'),
      debitedCents: total('debitedCents'),
      refundedCents: total('refundedCents'),
      spentCents: total('spentCents'),
    },
  };
}
