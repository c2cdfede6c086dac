import { rowsOf } from '../platform/mongo/mongo.ts';
import { Batch, type BatchRecord } from '../production/batches/batch.model.ts';

/** Marks the batches of earlier versions, which printed on both sides only. Letters without the field need no mark. */
export async function markBothSides(): Promise<void> {
  await rowsOf<BatchRecord>(Batch).updateMany({ doubleSided: { $exists: false } }, { $set: { doubleSided: true } });
}
