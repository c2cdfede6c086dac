import { withTimeout } from '#common/platform/batching/with-timeout.ts';
import { createHints, type Hints } from '#common/platform/redis/queues.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import type { AdminServices } from '../command.ts';

/**
 * How long a command waits for Redis to accept its hints. Without them the scanner finds the work in about a second.
 */
const sendWithinMs = 2_000;

/** Runs work that notifies the workers. Sends the hints before it settles, unless Redis is unreachable. */
export async function withHints<T>(
  { config, log }: Pick<AdminServices, 'config' | 'log'>,
  work: (hints: Hints) => Promise<T>,
): Promise<T> {
  // The role `worker` waits for the connection, which this new process has not opened yet.
  const redis = createRedis(config.redis.url, 'worker', log);
  const opened = createHints({ redis, prefix: config.redis.queuePrefix, log });
  const sent: Promise<void>[] = [];
  const notify: Hints['notify'] = (queue, ids) => {
    const hints = ids.map((id) => ({ queue, id, delayMs: 0 }));
    sent.push(opened.add(hints).catch((error) => log.debug({ cause: String(error) }, 'hint lost')));
  };
  try {
    return await work({ ...opened, notify });
  } finally {
    await withTimeout(Promise.all(sent), sendWithinMs, () => {});
    redis.disconnect();
  }
}
