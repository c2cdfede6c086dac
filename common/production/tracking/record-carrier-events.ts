import { plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { advanceItemsOf } from '#common/mail-jobs/items/advance-items.ts';
import {
  appendHistory,
  type HistoryStep,
  historyIdOf,
  ItemHistory,
} from '#common/mail-jobs/items/item-history.model.ts';
import type { ItemMove } from '#common/mail-jobs/items/plan-moves.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { findRows } from '#common/platform/mongo/mongo.ts';
import type { Projected } from '#common/platform/mongo/projected.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { BadLine, CarrierLine } from './parse-carrier-file.ts';

/** A letter writes about four rows when it moves, so 100 moves stay below the 1,000 rows of a transaction. */
const linesAtOnce = 100;
/** How far the clock of a carrier may be ahead. */
const maxAheadMs = 60 * 60_000;

/**
 * Records what a carrier reports, 100 lines in a transaction: `delivered` moves the item, and other events go into its
 * history. What is recorded already changes nothing, so a repeat after a crash resumes with the next line. Returns
 * the lines that do not fit any item. Throws when `signal` is aborted between two transactions.
 */
export async function recordCarrierEvents(
  lines: readonly CarrierLine[],
  { hints, at, signal }: { hints: Hints; at: Date; signal: AbortSignal },
): Promise<BadLine[]> {
  const bad: BadLine[] = [];
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    signal.throwIfAborted();
    const reports = await matchItems(lines.slice(start, start + linesAtOnce), at);
    const fitting = reports.filter((report): report is Report => !('problem' in report));
    bad.push(...reports.filter((report) => 'problem' in report));
    await recordScans(fitting.filter(({ line }) => line.event !== 'delivered'));
    const { eventIds, refused } = await recordDeliveries(
      fitting.filter(({ line, status }) => line.event === 'delivered' && status !== 'delivered'),
      at,
    );
    hints.notify('fan-out', eventIds);
    bad.push(...refused);
  }
  return bad.sort((one, other) => one.line - other.line);
}

const reportedFields = {
  ...({ organizationId: 1, mode: 1, createdAt: 1 } as const),
  ...({ 'items.itemId': 1, 'items.status': 1, 'items.tracking': 1 } as const),
};
type ReportedJob = Projected<MailJobRecord, typeof reportedFields>;
/** A line about an item that we have. */
type Report = { line: CarrierLine; job: ReportedJob; itemId: string; status: string };

async function matchItems(lines: readonly CarrierLine[], now: Date): Promise<(Report | BadLine)[]> {
  const numbers = [...new Set(lines.map(({ trackingNumber }) => trackingNumber))];
  const filter = { trackingNumbers: { $in: numbers } };
  const jobs = await findRows(MailJob, filter, { limit: numbers.length, projection: reportedFields });
  const found = new Map(
    jobs.flatMap((job) =>
      job.items.flatMap(({ itemId, status, tracking }) =>
        tracking ? [[tracking.number, { job, itemId, status }] as const] : [],
      ),
    ),
  );
  return lines.map((line) => {
    const item = found.get(line.trackingNumber);
    const problem = item ? problemOf({ line, ...item }, now) : `No letter has the number ${line.trackingNumber}.`;
    return item && problem === null ? { line, ...item } : { line: line.line, problem: problem ?? '' };
  });
}

function problemOf({ line, job, status }: Report, now: Date): string | null {
  if (line.at < job.createdAt) return 'The time is before the letter was accepted.';
  if (line.at > plusMs(now, maxAheadMs)) return 'The time is in the future.';
  if (line.event === 'delivered' && status === 'failed') return 'The letter failed: it cannot be delivered.';
  return null;
}

/** Records events that move nothing. Those recorded before are left out. */
async function recordScans(reports: readonly Report[]): Promise<void> {
  const steps = new Map(reports.map((report) => [historyIdOf(toScan(report)), toScan(report)]));
  if (steps.size === 0) return;
  await inTransaction(async (session) => {
    const organizationIds = [...new Set(reports.map(({ job }) => job.organizationId))];
    const isThere = { _id: { $in: [...steps.keys()] }, organizationId: { $in: organizationIds } };
    const projection = { _id: 1 } as const;
    const known = await findRows(ItemHistory, isThere, { limit: steps.size, projection, hint: { _id: 1 }, session });
    const ids = new Set(known.map(({ _id }) => _id));
    const unknown = [...steps].filter(([id]) => !ids.has(id)).map(([, step]) => step);
    await appendHistory(session, unknown);
  });
}

function toScan({ line: { event, at, reason }, job, itemId }: Report): HistoryStep {
  const { _id: mailJobId, organizationId, mode } = job;
  const key = `${event}:${at.toISOString()}`;
  return {
    mailJobId,
    organizationId,
    mode,
    itemId,
    at,
    kind: 'scanned',
    by: 'carrier',
    detail: { event, ...reason },
    key,
  };
}

async function recordDeliveries(
  reports: readonly Report[],
  at: Date,
): Promise<{ eventIds: string[]; refused: BadLine[] }> {
  // The first line about an item counts.
  const first = new Map([...reports].reverse().map((report) => [report.itemId, report]));
  const delivered = [...first.values()].reverse();
  if (delivered.length === 0) return { eventIds: [], refused: [] };
  const moves = delivered.map(({ line, job, itemId }): ItemMove => {
    const detail = { deliveredAt: line.at.toISOString(), ...line.reason };
    return {
      ...{ mailJobId: job._id, owner: job, itemIds: [itemId], target: 'delivered' },
      ...{ detail, by: 'carrier', nextStepDelayS: 0 },
    };
  });
  const outcomes = await advanceItemsOf(moves, at);
  const refused = outcomes.flatMap((outcome, index) => {
    const line = delivered[index]?.line.line ?? 0;
    return outcome instanceof AppError ? [{ line, problem: outcome.message }] : [];
  });
  const eventIds = outcomes.flatMap((outcome) => (outcome instanceof AppError ? [] : (outcome.eventId ?? [])));
  return { eventIds, refused };
}
