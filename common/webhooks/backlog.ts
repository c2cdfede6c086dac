import { Delivery } from './delivery.model.ts';
import { Endpoint } from './endpoint.model.ts';

export type Backlog = {
  /** Deliveries that are due and not under way. Those of endpoints that are paused are not due. */
  count: number;
  /** How long the oldest of them has been due, in seconds; 0 when none is. */
  oldestS: number;
};

/** More endpoints than this with something due are not looked into: the figure says "a lot" long before. */
const maxEndpoints = 1_000;

/** What waits to be sent at this moment. Read from one index, without the deliveries themselves. */
export async function countBacklog(now: Date): Promise<Backlog> {
  const endpoints = await Endpoint.find({ 'due.at': { $lte: now } })
    .sort({ 'due.at': 1 })
    .limit(maxEndpoints)
    .select({ _id: 1 })
    .lean<{ _id: string }[]>();
  const [found] = await Delivery.aggregate<{ count: number; oldest: Date }>([
    {
      $match: {
        endpointId: { $in: endpoints.map(({ _id }) => _id) },
        state: 'due',
        isLate: { $in: [false, true] },
        nextAttemptAt: { $lte: now },
      },
    },
    { $group: { _id: null, count: { $sum: 1 }, oldest: { $min: '$nextAttemptAt' } } },
  ]);
  return found
    ? { count: found.count, oldestS: (now.getTime() - found.oldest.getTime()) / 1_000 }
    : { count: 0, oldestS: 0 };
}
