import { randomUUID } from 'node:crypto';
import mongoose, { Schema } from 'mongoose';
import { plusMs } from '../clock.ts';
import { modelOptions } from './model-options.ts';
import { isDuplicateKey } from './mongo.ts';

/** A role that one process at a time may have, for as long as it renews it. */
type LeaseRecord = { _id: string; token: string; until: Date };

const schema = new Schema<LeaseRecord>(
  {
    _id: { type: String, required: true },
    token: { type: String, required: true },
    until: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'leases' },
);

const Lease = mongoose.model('Lease', schema);

/** One process's wish for a role. */
export type Lease = {
  /** Takes or prolongs the role until `ttlMs` from now; false while another process has it. */
  hold(now: Date): Promise<boolean>;
  /** Gives the role up, so that another process need not wait. */
  release(): Promise<void>;
};

export function createLease(name: string, ttlMs: number): Lease {
  const token = randomUUID();
  return {
    async hold(now) {
      try {
        await Lease.updateOne(
          { _id: name, $or: [{ token }, { until: { $lte: now } }] },
          { $set: { token, until: plusMs(now, ttlMs) } },
          { upsert: true },
        );
        return true;
      } catch (error) {
        // Somebody else's row is there, so the upsert could not insert a second one.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    release: async () => void (await Lease.deleteOne({ _id: name, token })),
  };
}
