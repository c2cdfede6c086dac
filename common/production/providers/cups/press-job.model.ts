import mongoose from 'mongoose';
import * as row from '#common/platform/mongo/row.ts';

/**
 * `waiting`: the printer certainly does not have it. `sending`: was being handed over; whether the printer has it is not
 * known until it is found. `sent`: the printer has it. `failed`: the printer says that it did not print it, or does not
 * know it any more.
 */
const pressJobStates = ['waiting', 'sending', 'sent', 'printed', 'failed'] as const;

const fields = {
  /** The item: it is handed to the printer once in each attempt. */
  _id: row.text,
  /** Counts from 1. An operator starts a further one. */
  attempt: row.number,
  batchId: row.text,
  state: row.oneOf(pressJobStates),
  /** The job of the printer, once it is known. */
  jobId: row.nullable(row.number),
};
/** What is known about the print job of an item. */
export type PressJobRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('press_jobs', fields);
schema.index({ batchId: 1, state: 1, jobId: 1 });

export const PressJob = mongoose.model('PressJob', schema);

/** Returns the name of the print job of an attempt. Names of earlier attempts stay known to the printer. */
export function jobNameOf({ _id, attempt }: Pick<PressJobRecord, '_id' | 'attempt'>): string {
  return attempt === 1 ? _id : `${_id}.${attempt}`;
}
