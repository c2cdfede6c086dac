import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasLapsed, inMs } from './lease.model.ts';
import { rowsOf } from './mongo.ts';

/**
 * Advisory lock: serializes commits across processes, only while they contend. It saves retries; correctness does not
 * depend on it. Two processes that both believe they hold the lock conflict as they would without it.
 */
export type AdvisoryLock = {
  /** Returns whether another process conflicted with this one within the last second. */
  isContended(): boolean;
  /** Records that another process conflicted with this one just now. */
  noteConflict(): void;
  /**
   * Waits for the lock, at most 250 ms. Returns undefined when there is nothing to wait for: no other process contends,
   * or this one holds the lock. Never rejects: a commit without the lock is only slower.
   */
  acquire(): Promise<void> | undefined;
  /** Releases the lock, if this process holds it. */
  release(): void;
};

/** `token` and `until` are those of the holder. `next` and `nextUntil` are the ticket of the process that is next. */
type LockRecord = { _id: string; token: string; until: Date; next: string; nextUntil: Date };

/** `holdMs`: a holder that dies blocks the others for this long. `ticketMs`: a ticket is lost this long after the last poll. */
const defaultTimes = { holdMs: 300, ticketMs: 50, maxWaitMs: 250 };
const pollMs = 3;
/** The lock is used for this long after a conflict or a wait. */
const contendedMs = 1_000;

/**
 * Creates one process's side of the lock `name`: one row in MongoDB, timed by the server's clock. The holder cannot
 * acquire it again before the process that has the ticket.
 *
 * Commits have one lock, not one per group of wallets: with 16 groups, batches are small, and only 2,000 wallets gain.
 * Rates of 2 and 4 processes on 2 cores, as shares of the rate of one process:
 *
 * | Wallets | one lock   | back-off only | 2 groups   | 4 groups   | 16 groups  | each wallet in one process |
 * |---------|------------|---------------|------------|------------|------------|----------------------------|
 * | 200     | 1.01, 0.78 | 1.04, 0.62    | 0.97, 0.79 | 0.84, 0.65 | 0.66, 0.60 | 1.05, 0.96                 |
 * | 1       | 0.99, 0.78 | 0.65, 0.59    | 0.94, 0.77 | 0.94, 0.68 | 0.95, 0.76 | 1.00, 1.00                 |
 * | 2,000   | 0.88, 0.78 | 0.88, 0.77    | 0.83, 0.73 | 0.82, 0.68 | 1.02, 0.80 | 1.05, 0.83                 |
 *
 * The last column, where callers choose the process and nothing conflicts, is what a committer per group could reach if
 * forwarding were free. Tests change the times.
 */
export function createAdvisoryLock(name: string, times = defaultTimes): AdvisoryLock {
  const { holdMs, maxWaitMs } = times;
  const processToken = randomUUID();
  let acquisitions = 0;
  /** By `performance.now()`, as `heldUntil`. */
  let contendedUntil = 0;
  /** 0 when this process does not hold the lock. */
  let heldUntil = 0;

  const isContended = () => performance.now() < contendedUntil;
  const noteConflict = () => {
    contendedUntil = performance.now() + contendedMs;
  };

  async function tryAcquire(): Promise<boolean> {
    const token = `${processToken} ${acquisitions}`;
    const row = await lockRows().findOneAndUpdate({ _id: name }, acquireOrTakeTicket(processToken, token, times), {
      upsert: true,
      returnDocument: 'after',
      writeConcern: { w: 1, journal: false },
    });
    return row?.token === token;
  }

  async function waitForLock(): Promise<void> {
    const endsAt = performance.now() + maxWaitMs;
    acquisitions += 1;
    try {
      while (!(await tryAcquire())) {
        noteConflict();
        if (performance.now() >= endsAt) return;
        await sleep(pollMs);
      }
      heldUntil = performance.now() + holdMs;
    } catch {
      // An unreachable database is reported by the commit that follows.
    }
  }

  return {
    isContended,
    noteConflict,
    acquire: () => (performance.now() < heldUntil || !isContended() ? undefined : waitForLock()),
    release() {
      if (heldUntil === 0) return;
      heldUntil = 0;
      const held = { _id: name, token: `${processToken} ${acquisitions}` };
      // Not awaited: a lock that is not released expires.
      lockRows()
        .updateOne(held, { $set: { until: new Date(0) } }, { writeConcern: { w: 1, journal: false } })
        .catch(() => {});
    },
  };
}

const lockRows = () => rowsOf<LockRecord>({ collection: { name: 'leases' } });

/**
 * Returns the update that acquires the lock when it is free and no other process has the ticket. Otherwise it takes or
 * renews the ticket, unless another process has it.
 */
function acquireOrTakeTicket(processToken: string, token: string, { holdMs, ticketMs }: typeof defaultTimes) {
  const isFree = { $or: [hasLapsed('$until'), { $eq: ['$token', token] }] };
  const mayTakeTicket = { $or: [{ $eq: ['$next', processToken] }, hasLapsed('$nextUntil')] };
  const mayAcquire = { $and: [isFree, mayTakeTicket] };
  const choose = (ifAcquired: unknown, ifTicket: unknown, otherwise: unknown) => ({
    $cond: [mayAcquire, ifAcquired, { $cond: [mayTakeTicket, ifTicket, otherwise] }],
  });
  // A ticket is renewed after half its time, so most polls change nothing and write nothing.
  const isTicketFresh = { $and: [{ $eq: ['$next', processToken] }, { $gt: ['$nextUntil', inMs(ticketMs / 2)] }] };
  return [
    {
      $set: {
        token: choose(token, '$token', '$token'),
        until: choose(inMs(holdMs), '$until', '$until'),
        next: choose('', processToken, '$next'),
        nextUntil: choose(new Date(0), { $cond: [isTicketFresh, '$nextUntil', inMs(ticketMs)] }, '$nextUntil'),
      },
    },
  ];
}
