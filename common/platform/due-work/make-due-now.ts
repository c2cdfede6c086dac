import { rowsOf } from '../mongo/mongo.ts';
import { dueIndexKey } from './due.schema.ts';
import { type DueRow, type DueSlot, isUnleased } from './due-work.ts';

/** Hints sent at once. The scanner finds the rest. */
const maxHinted = 100;

/**
 * Makes work due now that threw and is not leased, of one organization or of all. Also resets the failure counts of work
 * that was already due. Returns how much it was, and the ids of some of it.
 */
export async function makeDueNow(
  slot: DueSlot,
  organizationId: string | null,
  at: Date,
): Promise<{ count: number; someIds: string[] }> {
  const { path } = slot;
  const rows = rowsOf<DueRow>(slot.collection);
  const waiting = {
    ...(organizationId !== null && { organizationId }),
    [`${path}.at`]: { $exists: true },
    [`${path}.failures`]: { $gt: 0 },
    ...isUnleased(path),
  };
  const hint = dueIndexKey(path);
  const some = await rows.find(waiting, { hint, projection: { _id: 1 }, limit: maxHinted }).toArray();
  const { modifiedCount: count } = await rows.updateMany(
    waiting,
    {
      $min: { [`${path}.at`]: at },
      $set: {
        [`${path}.failures`]: 0,
        [`${path}.unfinished`]: 0,
        [`${path}.hintedAt`]: null,
      },
      $inc: { [`${path}.version`]: 1 },
    },
    { hint },
  );
  return { count, someIds: some.map(({ _id }) => _id) };
}
