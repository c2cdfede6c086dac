import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import { createHints, type Hints } from '#common/platform/redis/queues.ts';
import type { AdminServices } from './command.ts';

/**
 * How long a command waits for Redis to accept its hints. Without them the scanner finds the work in about a second.
 */
const sendWithinMs = 2_000;

/** Runs work that notifies the workers. Sends the hints before it settles, unless Redis is unreachable. */
export async function withHints<T>(
  { config, log, withRedis }: Pick<AdminServices, 'config' | 'log' | 'withRedis'>,
  work: (hints: Hints) => Promise<T>,
): Promise<T> {
  return await withRedis(async (redis) => {
    const opened = createHints({ redis, prefix: config.redis.queuePrefix, log });
    const sent: Promise<void>[] = [];
    const notify: Hints['notify'] = (queue, ids) => {
      const hints = ids.map((id) => ({ queue, id, delayMs: 0 }));
      sent.push(opened.add(hints).catch((error) => log.debug({ cause: String(error) }, 'hint lost')));
    };
    return await work({ ...opened, notify }).finally(() => withTimeout(Promise.all(sent), sendWithinMs, () => {}));
  });
}
