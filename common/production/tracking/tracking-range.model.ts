import mongoose from 'mongoose';
import * as row from '#common/platform/mongo/row.ts';
import { zones } from '#common/services.ts';

const fields = {
  /** `RR-BE-1`: the indicator, the country, and the how many-th range of both. Concurrent additions collide on it. */
  _id: row.text,
  /** Two letters that say what service the number stands for, such as RR. */
  indicator: row.text,
  /** Two letters: the country of the carrier that sold the numbers. */
  country: row.text,
  /** Serial numbers, without the check digit: 0 to 99,999,999. */
  firstSerial: row.number,
  lastSerial: row.number,
  /** The first serial number that was not given out, `lastSerial` + 1 when all were. */
  nextSerial: row.number,
  /** A batch of registered letters for one of these zones gets its numbers when it closes. Empty: only on command. */
  automaticZones: row.list(row.oneOf(zones)),
  note: row.nullable(row.text),
  addedAt: row.date,
  /** When its last number so far was assigned to an item. */
  lastAssignedAt: row.nullable(row.date),
  /** When an operator closed it. Closed ranges give no numbers. */
  closedAt: row.nullable(row.date),
};
/** Tracking numbers of UPU standard S10 that the operator bought from a carrier. */
export type TrackingRangeRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('tracking_ranges', fields);
export const rangesByAge = { closedAt: 1, addedAt: 1, _id: 1 } as const;
schema.index(rangesByAge);
schema.index({ indicator: 1, country: 1 });

export const TrackingRange = mongoose.model('TrackingRange', schema);
