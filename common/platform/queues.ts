import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { z } from 'zod';
import type { Log } from './log.ts';
import { type Hint as AnyHint, createNudges } from './nudges.ts';
import type { Redis } from './redis.ts';

const HintPayload = z.object({ id: z.string().min(1).max(100) });

/** What a message of a queue says: "look at this now". The truth about it is in MongoDB. */
export type HintPayload = z.infer<typeof HintPayload>;

type QueuePolicy = {
  /** What the id of a message names. */
  subject: string;
  payload: typeof HintPayload;
  /** Its workers take all that is due, whatever was named: one message stands for all that are sent at once. */
  isTakenInBulk?: true;
  /** Of what one process nudges at once so many are sent, and the scanner brings the rest, as its workers get on. */
  maxNudges?: number;
};

/** Every queue. All policy of retries and times is in MongoDB. */
export const queueTable = {
  'fan-out': { subject: 'an event to be turned into deliveries', payload: HintPayload, isTakenInBulk: true },
  'webhook-delivery': { subject: 'an endpoint with deliveries due', payload: HintPayload },
  // A letter takes far longer to render than to take in: the messages of a burst would only pile up in Redis.
  render: { subject: 'a mail job whose print file is to be made', payload: HintPayload, maxNudges: 8 },
  lifecycle: { subject: 'a sandbox mail job whose next step is due', payload: HintPayload },
  cleanup: { subject: 'a chore, by name', payload: HintPayload },
} as const satisfies Record<string, QueuePolicy>;

export type QueueName = keyof typeof queueTable;
export const queueNames = Object.keys(queueTable) as QueueName[];
const policyOf = (queue: QueueName): QueuePolicy => queueTable[queue];

type Hint = AnyHint<QueueName>;

/** The senders' side of the queues. */
export type Hints = {
  /** Adds messages in one round trip a queue. Rejects when Redis is away: the caller decides what that means. */
  add(hints: readonly Hint[]): Promise<void>;
  /**
   * After a commit: tells the workers to look, at once or after `delayMs`, and forgets about it. A hint that does not
   * get through within 50 ms is logged and dropped, as is what is beyond a queue's `maxNudges`, and one for later ends
   * with its process when that is killed; the scanner finds the work within a second.
   */
  nudge(queue: QueueName, ids: readonly string[], delayMs?: number): void;
  /** Messages of a queue that no worker has taken yet. Rejects when Redis is away. */
  countWaiting(queue: QueueName): Promise<number>;
  /** For the board, which shows them. */
  readonly queues: readonly Queue[];
  close(): Promise<void>;
};

/** Finished messages kept for whoever looks into the queues. */
const keptJobs = 1_000;

/** Whether Redis answers the senders' side of the queues within a time. */
export async function areQueuesReachable({ queues }: Pick<Hints, 'queues'>, withinMs: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), withinMs);
  const answered = queues[0]?.getJobCountByTypes('waiting').then(
    () => true,
    () => false,
  );
  return await Promise.race([answered ?? false, late]).finally(() => clearTimeout(timer));
}

export function createHints(options: { redis: Redis; prefix: string; log: Log }): Hints {
  const { redis, prefix, log } = options;
  const queueOf = new Map(queueNames.map((name) => [name, openQueue(name, redis, prefix, log)]));

  async function add(hints: readonly Hint[]): Promise<void> {
    const byQueue = Map.groupBy(hints, ({ queue }) => queue);
    const added = [...byQueue].map(([name, rows]) =>
      queueOf.get(name)?.addBulk(
        (policyOf(name).isTakenInBulk ? soonest(rows) : rows).map(({ id, delayMs }) => ({
          name,
          data: { id } satisfies HintPayload,
          // Never the same id twice: Redis drops a message whose id it remembers, finished or not.
          opts: { jobId: `${id}-${randomUUID()}`, delay: delayMs },
        })),
      ),
    );
    await Promise.all(added);
  }

  const nudges = createNudges({ add, maxOf: (queue) => policyOf(queue).maxNudges, log });

  async function countWaiting(queue: QueueName): Promise<number> {
    return (await queueOf.get(queue)?.getWaitingCount()) ?? 0;
  }

  const queues = [...queueOf.values()];
  const close = async () => {
    nudges.close();
    await Promise.all(queues.map((queue) => queue.close()));
  };
  return { add, nudge: nudges.nudge, countWaiting, queues, close };
}

function soonest(hints: readonly Hint[]): Hint[] {
  return [...hints].sort((left, right) => left.delayMs - right.delayMs).slice(0, 1);
}

function openQueue(name: QueueName, connection: Redis, prefix: string, log: Log): Queue {
  const queue = new Queue(name, {
    connection,
    prefix,
    // Each process would else check, and wait for, the version of Redis before its first message.
    skipVersionCheck: true,
    defaultJobOptions: { attempts: 1, removeOnComplete: { count: keptJobs }, removeOnFail: { count: keptJobs } },
  });
  // Without a listener a lost connection would end the process.
  queue.on('error', (error) => log.debug({ queue: name, cause: error.message }, 'queue error'));
  return queue;
}
