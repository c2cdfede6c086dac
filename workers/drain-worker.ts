import { createBatcher } from '#common/platform/concurrency/create-batcher.ts';
import type { Pauses } from '#common/platform/due-work/pauses.ts';
import type { Hints, QueueName } from '#common/platform/redis/queues.ts';
import type { WorkerDefinition } from './worker.ts';

/**
 * Creates a worker that processes all due work of its queue, whichever row a hint names. `begin` begins a run, whose
 * `round` processes some of the work and returns whether more is due. A pause of the queue `pausedWith` ends it, by default
 * of the same queue.
 */
export function drainWorker(
  queue: QueueName,
  begin: () => { round(): Promise<boolean>; end?(): void },
  { hints, pauses, pausedWith = queue }: { hints: Hints; pauses: Pauses; pausedWith?: QueueName },
): WorkerDefinition {
  /** Hints that arrive during a run share the one after it, which sees all their work. */
  const join = createBatcher<AbortSignal, boolean>({
    maxItems: Number.POSITIVE_INFINITY,
    async run(closing) {
      const { round, end } = begin();
      const isStopping = () => closing.some(({ aborted }) => aborted);
      const isPaused = async () => (await pauses.read()).of(pausedWith).isPaused;
      let isMore = true;
      try {
        while (isMore && !isStopping() && !(await isPaused())) isMore = await round();
      } finally {
        end?.();
      }
      return closing.map(() => isMore && isStopping());
    },
  });
  return {
    queue,
    concurrency: 20,
    async handle(id, { closing }) {
      // This process is stopping, so another one must continue. After a pause, the scanner sends a hint.
      if (await join(closing)) hints.notify(queue, [id]);
    },
  };
}
