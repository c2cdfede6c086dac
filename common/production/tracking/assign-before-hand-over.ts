import type { BatchRecord } from '../batches/batch.model.ts';
import { type AssignContext, assignToBatch } from './assign-numbers.ts';
import { readUnclosedRanges } from './range-levels.ts';

/**
 * Gives the items of a closed batch that are still to be printed tracking numbers, when a range is for the registered
 * letters of its zone. The batch goes on without them when the ranges have ended: their labels are scanned instead.
 */
export async function assignBeforeHandOver(
  { _id: batchId, serviceType, zone }: Pick<BatchRecord, '_id' | 'serviceType' | 'zone'>,
  { clock, log }: Pick<AssignContext, 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  if (serviceType !== 'registered') return;
  const isFor = (await readUnclosedRanges()).some(({ automaticZones }) => automaticZones.includes(zone));
  if (!isFor) return;
  const by = { kind: 'system', id: 'press' } as const;
  const context = { from: { automaticZone: zone }, by, toldBy: 'press', clock, log, signal } as const;
  // A batch may go to press again after an operator resolved a doubt: the labels of printed items are scanned.
  const { missingCount } = await assignToBatch(batchId, { ...context, isUnprintedOnly: true });
  if (missingCount > 0) log.warn({ batchId, missingCount }, 'tracking numbers have ended, items have none');
}
