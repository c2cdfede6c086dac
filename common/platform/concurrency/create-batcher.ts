import { runOutsideSpans } from '../spans/tracing.ts';

export type BatcherOptions<Item, Result> = {
  /** Processes all items, and returns their results in the same order. When it throws, every item of the batch fails. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** The most items of one batch, at least 1. */
  maxItems: number;
};

type Pending<Item, Result> = { item: Item } & Omit<PromiseWithResolvers<Result>, 'promise'>;

/**
 * Returns a function that processes one item in a batch and returns its own result. Natural batching: at most one batch
 * runs, and items that arrive meanwhile form the next one. Without a running batch, the next one starts at the end of
 * the event-loop tick. A batch starts after its items arrived, so what it reads is never older than they are.
 */
export function createBatcher<Item, Result>({ run, maxItems }: BatcherOptions<Item, Result>) {
  const waiting: Pending<Item, Result>[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxItems);
      try {
        const results = await run(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (item: Item): Promise<Result> => {
    const { promise, ...settle } = Promise.withResolvers<Result>();
    waiting.push({ item, ...settle });
    if (!isRunning) runOutsideSpans(() => setImmediate(runAll));
    isRunning = true;
    return promise;
  };
}
