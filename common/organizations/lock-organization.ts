import type { Transaction } from '../platform/mongo/transaction.ts';
import { Organization } from './organization.model.ts';

/** Concurrent transactions could both count the last free place: a write to the same row makes one of them retry. */
export async function lockOrganization(
  transaction: Transaction,
  _id: string,
  counter: 'clocksCreated' | 'bulksCreated',
): Promise<void> {
  await Organization.updateOne({ _id }, { $inc: { [counter]: 1 } }, { session: transaction });
}
