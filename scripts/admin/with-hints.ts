import { setTimeout as pause } from 'node:timers/promises';
import { createHints, type Hints } from '../../common/platform/queues.ts';
import { createRedis } from '../../common/platform/redis.ts';
import type { AdminServices } from './command.ts';

/** A command waits so long for Redis to take its hints; without them the workers find the work within a second or so. */
const sendWithinMs = 2_000;

/** Runs work that nudges the workers. A nudge is sent before this settles, unless Redis is away. */
export async function withHints<T>(
  { config, log }: Pick<AdminServices, 'config' | 'log'>,
  work: (hints: Hints) => Promise<T>,
): Promise<T> {
  // The role that waits for its connection: the process is younger than that.
  const redis = createRedis(config.redis.url, 'worker', log);
  const opened = createHints({ redis, prefix: config.redis.queuePrefix, log });
  const sent: Promise<void>[] = [];
  const nudge: Hints['nudge'] = (queue, ids) => {
    const hints = ids.map((id) => ({ queue, id, delayMs: 0 }));
    sent.push(opened.add(hints).catch((error) => log.debug({ cause: String(error) }, 'hint lost')));
  };
  try {
    return await work({ ...opened, nudge });
  } finally {
    const late = new AbortController();
    await Promise.race([Promise.all(sent), pause(sendWithinMs, undefined, { signal: late.signal }).catch(() => {})]);
    late.abort();
    redis.disconnect();
  }
}
