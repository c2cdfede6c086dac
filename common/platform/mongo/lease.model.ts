import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import type { Log } from '../process/log.ts';
import { isDuplicateKey, rowsOf } from './mongo.ts';
import * as row from './row.ts';

/**
 * Lease ends are set and compared by the clock of the database server (`$$NOW`), so a holder whose own clock is wrong
 * keeps its lease no longer than others. Due times go by the clock of the process.
 */

/** Returns an aggregation expression for the moment `ms` milliseconds from now. */
export const inMs = (ms: number) => ({ $add: ['$$NOW', ms] });

/** Returns an aggregation expression that is true when `leaseEnd` (`$due.leaseUntil`) has passed, is null or missing. */
export const hasLapsed = (leaseEnd: string) => ({ $lte: [leaseEnd, '$$NOW'] });

const fields = { _id: row.text, token: row.text, until: row.date };
/** A role that one process at a time holds, for as long as it renews it. */
type LeaseRecord = row.RecordOf<typeof fields>;

const Lease = mongoose.model('Lease', row.schemaOf('leases', fields));

/** One process's handle on a role. */
export type Lease = {
  /** Acquires the role, or renews it, for `ttlMs` from now. Returns false while another process holds it. */
  hold(): Promise<boolean>;
  /** Releases the role, so another process need not wait for its end. */
  release(): Promise<void>;
};

export function createLease(name: string, ttlMs: number): Lease {
  const token = randomUUID();
  return {
    async hold() {
      const isOurs = { $or: [hasLapsed('$until'), { $eq: ['$token', token] }] };
      const taken = {
        token: { $cond: [isOurs, token, '$token'] },
        until: { $cond: [isOurs, inMs(ttlMs), '$until'] },
      };
      try {
        const lease = await rowsOf<LeaseRecord>(Lease).findOneAndUpdate({ _id: name }, [{ $set: taken }], {
          upsert: true,
          returnDocument: 'after',
        });
        return lease?.token === token;
      } catch (error) {
        // Two processes asked for the first time at once, and the other one inserted the row.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    release: async () => void (await Lease.deleteOne({ _id: name, token })),
  };
}

export type Renewal = {
  /** Returns false when the lease was lost. */
  renew(): Promise<boolean>;
  leaseMs: number;
  log: Log;
  /** Fields for log lines. */
  about?: object;
};

/**
 * Renews a lease at every third of its time while `work` runs, and settles as `work` does. `lost` fires when a renewal
 * is refused: another process can have the lease, and the work must stop. A renewal that fails is logged and repeated.
 */
export async function whileLeased<Result>(
  { renew, leaseMs, log, about }: Renewal,
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    renew().then(
      (isOurs) => isOurs || lost.abort(),
      (error: unknown) => log.warn({ err: error, ...about }, 'lease not renewed'),
    );
  }, leaseMs / 3);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
  }
}
