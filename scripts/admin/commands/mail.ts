import { lineOfText } from '#common/fields/text.schema.ts';
import { setLiveStatus } from '#common/mail-jobs/lifecycle/set-live-status.ts';
import { mailStatuses } from '#common/mail-jobs/model/lifecycle.ts';
import { withTimeout } from '#common/platform/batching/with-timeout.ts';
import { createHints, type Hints } from '#common/platform/redis/queues.ts';
import { type AdminServices, argument, defineCommand, option } from '../command.ts';
import { idOf, oneOf } from '../option.schema.ts';

/**
 * How long a command waits for Redis to accept its hints. Without them the scanner finds the work in about a second.
 */
const sendWithinMs = 2_000;

const setStatus = defineCommand({
  name: 'mail set-status',
  summary: 'record the status of a live letter; forward only',
  fields: {
    mailJobId: argument('the mail job', idOf('mj')),
    status: argument('printed, posted, delivered or failed (which refunds the letter)', oneOf(mailStatuses)),
    reason: option('--reason <text>', 'the reason of the failure, shown to the customer', lineOfText(255).optional()),
  },

  async run({ mailJobId, status, reason }, services) {
    const change = { mailJobId, target: status, reason, by: services.actor };
    return await withHints(services, (hints) => setLiveStatus(change, hints, services.clock.now()));
  },
  describe: ({ mailJobId, previousStatus, status }) => `${mailJobId} was ${previousStatus} and is ${status} now.`,
});

/** Runs work that notifies the workers. Sends the hints before it settles, unless Redis is unreachable. */
async function withHints<T>(
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

export const mailCommands = [setStatus];
