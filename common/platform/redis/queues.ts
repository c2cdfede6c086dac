import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { z } from 'zod';
import { systemClock } from '#common/clock.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Log } from '../process/log.ts';
import { type Hint as AnyHint, createHintBuffer } from './hint-buffer.ts';
import type { Redis } from './redis.ts';

/** The content of every message: the row to look at now. Its state is in MongoDB. */
export const HintPayload = z.object({ id: z.string().min(1).max(100) });
export type HintPayload = z.infer<typeof HintPayload>;

type QueuePolicy = {
  /** What the id in a message refers to. */
  subject: string;
  /** Its workers claim everything that is due, whichever row a message names. One message replaces all sent together. */
  isClaimedInBulk?: true;
  /** How long `notify` waits by default. */
  delayMs?: number;
  /** The most hints that one flush of a process sends. The scanner sends the rest as the workers make progress. */
  maxHintsPerFlush?: number;
};

/** Every queue. Retry policy and due times are in MongoDB. */
export const queueTable = {
  'fan-out': { subject: 'an event without deliveries', isClaimedInBulk: true },
  'webhook-delivery': { subject: 'an endpoint with due deliveries' },
  // Rendering a letter takes far longer than accepting it: the messages of a burst would only pile up in Redis. It starts
  // after the delivery of MAIL_QUEUED, because its child process would compete for the CPU.
  render: { subject: 'a mail job to render', delayMs: 100, maxHintsPerFlush: 8 },
  'render-slow': { subject: 'a mail job that takes long to render', maxHintsPerFlush: 8 },
  preflight: { subject: 'a preflight whose files are to be checked', maxHintsPerFlush: 8 },
  'bulk-check': { subject: 'a bulk whose file is to be read', maxHintsPerFlush: 8 },
  'bulk-send': { subject: 'a bulk whose rows are to become mail jobs', maxHintsPerFlush: 8 },
  // Without a limit: a request waits for each letter.
  typeset: { subject: 'a letter to typeset from a template' },
  batch: { subject: 'a live mail job whose batch closes', isClaimedInBulk: true },
  press: { subject: 'a batch to close, to hand over or to follow' },
  'print-parts': { subject: 'a batch whose copies are to be merged', maxHintsPerFlush: 8 },
  lifecycle: { subject: 'a sandbox mail job whose next step is due' },
  'sandbox-clock': { subject: 'a test clock that is advancing or to be deleted' },
  cleanup: { subject: 'a chore, by name' },
} as const satisfies Record<string, QueuePolicy>;

export type QueueName = keyof typeof queueTable;
export const queueNames = Object.keys(queueTable) as QueueName[];
const policyOf = (queue: QueueName): QueuePolicy => queueTable[queue];
/** Returns whether one message is enough for all due rows of a queue. */
export const isClaimedInBulk = (queue: QueueName): boolean => policyOf(queue).isClaimedInBulk ?? false;

type Hint = AnyHint<QueueName>;

/** The producer side of the queues. */
export type Hints = {
  /** Adds messages, in one round trip per queue. Rejects when Redis is unreachable. */
  add(hints: readonly Hint[]): Promise<void>;
  /**
   * Tells workers after a commit to look at rows, after `delayMs` (default: that of the queue). Fire and forget: a hint
   * that is not sent within 50 ms is logged and dropped. Hints beyond a queue's `maxHintsPerFlush` are dropped too, and a
   * delayed hint is lost when its process is killed. The scanner finds the work within two seconds.
   */
  notify(queue: QueueName, ids: readonly string[], delayMs?: number): void;
  /**
   * Returns the row ids in messages that no worker has taken yet: at most `limit` waiting and `limit` delayed ones.
   * Rejects when Redis is unreachable.
   */
  listQueued(queue: QueueName, limit: number): Promise<string[]>;
  /**
   * Returns whether there are messages that a worker should take now: waiting ones, or delayed ones whose time has come,
   * which only a worker moves. Rejects when Redis is unreachable.
   */
  hasDue(queue: QueueName): Promise<boolean>;
  /** For the queue board. */
  readonly queues: readonly Queue[];
  close(): Promise<void>;
};

/** Finished messages kept per queue for the queue board. */
const keptJobs = 1_000;

/** For health checks: Redis answers within milliseconds. */
export const redisTimeoutMs = 1_000;

/** Returns whether Redis answers the producer connection within `withinMs`. */
export async function areQueuesReachable({ queues }: Pick<Hints, 'queues'>, withinMs: number): Promise<boolean> {
  const [queue] = queues;
  const answered = queue?.getJobCountByTypes('waiting').then(() => true) ?? Promise.resolve(false);
  return await withTimeout(answered, withinMs, () => false).catch(() => false);
}

export function createHints(options: { redis: Redis; prefix: string; log: Log }): Hints {
  const { redis, prefix, log } = options;
  const queueOf = new Map(queueNames.map((name) => [name, openQueue(name, redis, prefix, log)]));

  async function add(hints: readonly Hint[]): Promise<void> {
    const byQueue = Map.groupBy(hints, ({ queue }) => queue);
    const added = [...byQueue].map(([name, rows]) =>
      queueOf.get(name)?.addBulk(
        (isClaimedInBulk(name) ? soonest(rows) : rows).map(({ id, delayMs }) => ({
          name,
          data: { id } satisfies HintPayload,
          // BullMQ ignores a message whose id it still keeps, finished or not, so each id is unique.
          opts: { jobId: `${id}${newSuffix()}`, delay: delayMs },
        })),
      ),
    );
    await Promise.all(added);
  }

  const buffer = createHintBuffer({ add, maxPerFlush: (queue) => policyOf(queue).maxHintsPerFlush, log });

  async function listQueued(queue: QueueName, limit: number): Promise<string[]> {
    const messageIds = (await queueOf.get(queue)?.getRanges(['wait', 'delayed'], 0, limit - 1)) ?? [];
    return messageIds.map((id) => id.slice(0, -suffixLength));
  }

  async function hasDue(name: QueueName): Promise<boolean> {
    const queue = queueOf.get(name);
    if (((await queue?.getJobCountByTypes('waiting')) ?? 0) > 0) return true;
    const [next] = (await queue?.getDelayed(0, 0)) ?? [];
    return next !== undefined && next.timestamp + next.delay <= systemClock.now().getTime();
  }

  const queues = [...queueOf.values()];
  const close = async () => {
    buffer.close();
    await Promise.all(queues.map((queue) => queue.close()));
  };
  const notify: Hints['notify'] = (queue, ids, delayMs = policyOf(queue).delayMs) => buffer.notify(queue, ids, delayMs);
  return { add, notify, listQueued, hasDue, queues, close };
}

const newSuffix = () => `-${randomUUID()}`;
const suffixLength = newSuffix().length;

function soonest(hints: readonly Hint[]): Hint[] {
  return [...hints].sort((left, right) => left.delayMs - right.delayMs).slice(0, 1);
}

function openQueue(name: QueueName, connection: Redis, prefix: string, log: Log): Queue {
  const queue = new Queue(name, {
    connection,
    prefix,
    // Otherwise each process would query the version of Redis before its first message.
    skipVersionCheck: true,
    defaultJobOptions: { attempts: 1, removeOnComplete: { count: keptJobs }, removeOnFail: { count: keptJobs } },
  });
  // Without a listener, a lost connection would throw and end the process.
  queue.on('error', (error) => log.debug({ queue: name, cause: error.message }, 'queue error'));
  return queue;
}
