import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '../concurrency/with-timeout.ts';

/** Delay before the first look for a result, and the longest one. */
const pollMs = { first: 100, most: 1_000 };

/** The waiting for one result in this process: it ends with the result, or when the last waiter has left. */
type Poll<Row> = { endsAtMs: number; result: Promise<Row | null> };
type ResultRow = { _id: string; result?: unknown };

/**
 * Returns a function that waits up to `withinMs` for the result of a row, and returns the row with or without one. `read`
 * returns the row, null for a removed one. All that wait for a row in this process share its queries, whose delay grows
 * from `firstMs`, 100 by default, to 1 s.
 */
export function createResultWaiter<Row extends ResultRow>(
  read: (id: string) => Promise<Row | null>,
  firstMs = pollMs.first,
): (row: Row, withinMs: number) => Promise<Row> {
  const polls = new Map<string, Poll<Row>>();

  function startPoll(id: string, endsAtMs: number): Poll<Row> {
    async function look(): Promise<Row | null> {
      let delayMs = firstMs;
      while (performance.now() < poll.endsAtMs) {
        await sleep(Math.min(delayMs, poll.endsAtMs - performance.now()));
        const latest = await read(id);
        // A removed row gets no result.
        if (latest === null || latest.result !== undefined) return latest;
        delayMs = Math.min(delayMs * 1.5, pollMs.most);
      }
      return null;
    }
    const poll: Poll<Row> = { endsAtMs, result: Promise.resolve(null) };
    polls.set(id, poll);
    poll.result = look().finally(() => polls.delete(id));
    return poll;
  }

  return async (row, withinMs) => {
    if (row.result !== undefined) return row;
    const endsAtMs = performance.now() + withinMs;
    const poll = polls.get(row._id) ?? startPoll(row._id, endsAtMs);
    poll.endsAtMs = Math.max(poll.endsAtMs, endsAtMs);
    return (await withTimeout(poll.result, withinMs, () => null)) ?? row;
  };
}
