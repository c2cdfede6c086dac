import type { PressBatch } from '../press-batch.ts';
import type { BatchRecord } from './batch.model.ts';

/** Returns a batch as its provider and its papers see it. */
export function toPressBatch(batch: BatchRecord): PressBatch {
  const { _id: batchId, cutoffAt, closesAt, zone, serviceType, format, window, color, doubleSided = true } = batch;
  const { acknowledgmentReceipt, itemCount, sheetCount } = batch;
  const when = { cutoffAt, closesAt };
  const print = { zone, serviceType, format, window, color, doubleSided, acknowledgmentReceipt };
  return { batchId, ...when, ...print, itemCount, sheetCount };
}
