import { randomUUID } from 'node:crypto';
import { plusMs } from '../clock.ts';
import { type Claim, isFree, readDue, unjournaled } from '../platform/due-work.ts';
import { isDuplicateKey, rowsOf } from '../platform/mongo.ts';
import { deliveryWork, Endpoint, type EndpointRecord } from './endpoint.model.ts';
import type { Wanted } from './wake-endpoints.ts';

const { path } = deliveryWork;

/**
 * Wakes an endpoint and takes it in one step, before there is anything to send. Null, with nothing changed, when others
 * hold it, when something waits there that is due already, or when it is paused or on probation: then it goes the way
 * of all that waits.
 */
export async function leaseIdle(wanted: Wanted, now: Date, leaseMs: number): Promise<Claim<EndpointRecord> | null> {
  const { endpointId: id, ...owned } = wanted;
  const token = randomUUID();
  const isIdle = { $or: [{ [path]: { $exists: false } }, { [`${path}.at`]: { $gt: now } }] };
  // No equality: a new row would be given what is asked for.
  const isSound = { 'health.pauseMs': { $not: { $gt: 0 } } };
  try {
    const row = await rowsOf<EndpointRecord>(Endpoint).findOneAndUpdate(
      { _id: id, ...isSound, $and: [isIdle, isFree(path, now)] },
      {
        $setOnInsert: owned,
        $set: {
          [`${path}.at`]: now,
          [`${path}.hintedAt`]: null,
          [`${path}.leaseToken`]: token,
          [`${path}.leaseUntil`]: plusMs(now, leaseMs),
        },
        $inc: { [`${path}.attempt`]: 1, [`${path}.version`]: 1 },
      },
      { upsert: true, returnDocument: 'after', ...unjournaled },
    );
    if (!row) return null;
    const { attempt, version } = readDue(row, path);
    return { slot: deliveryWork, id, token, attempt, version, leaseMs, row };
  } catch (error) {
    // It is there, and not to be had: so the row that would be new is refused.
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}
