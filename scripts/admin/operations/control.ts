import { z } from 'zod';
import { AppError } from '#common/errors.ts';
import { awaitDrained } from '#common/operations/await-drained.ts';
import { pauseWork, resumeWork } from '#common/operations/change-pauses.ts';
import { requeueWork } from '#common/operations/requeue-work.ts';
import { pausableWorks } from '#common/platform/due-work/pause.model.ts';
import { pauseDelayMs, readPauses } from '#common/platform/due-work/pauses.ts';
import { queueNames } from '#common/platform/redis/queues.ts';
import { argument, defineCommand, option } from '../command.ts';
import { findOrganization } from '../commands/org.ts';
import { idOf, oneOf, wholeNumber } from '../option.schema.ts';
import { withHints } from '../with-hints.ts';

const someOrg = option('--org <id>', 'only the work of this organization', idOf('org').optional());
const Reason = z
  .string({ error: 'Say why: the next operator sees it.' })
  .trim()
  .min(3, 'Say why: the next operator sees it.')
  .max(200, 'Say why in at most 200 characters.');
const reason = option('--reason <text>', 'why, for the overview and the audit log', Reason);
const words = pausableWorks.filter((work) => work !== 'all');

/** Returns the id of an organization that exists; null for all. */
const scopeOf = async (org: string | undefined) => (org === undefined ? null : (await findOrganization(org))._id);
const ofWhom = (organizationId: string | null) => (organizationId === null ? 'all organizations' : organizationId);

const pause = defineCommand({
  name: 'pause',
  summary: 'let render, dispatch (handing batches to the press) or webhooks wait until they are resumed',
  fields: { work: argument(words.join(', '), oneOf(words)), org: someOrg, reason },

  async run({ work, org, reason: why }, { clock, actor }) {
    const organizationId = await scopeOf(org);
    const { since } = await pauseWork({ work, organizationId, reason: why }, actor, clock.now());
    return { work, organizationId, since: since.toISOString() };
  },
  describe: ({ work, organizationId }) =>
    `Paused: ${work} of ${ofWhom(organizationId)}. Every worker knows within ${pauseDelayMs / 1_000} s, and finishes what it has begun.`,
});

const resume = defineCommand({
  name: 'resume',
  summary: 'end a pause; all ends that of drain',
  fields: { work: argument(pausableWorks.join(', '), oneOf(pausableWorks)), org: someOrg },

  async run({ work, org }, { clock, actor }) {
    const organizationId = await scopeOf(org);
    const { since } = await resumeWork({ work, organizationId }, actor, clock.now());
    return { work, organizationId, pausedSince: since.toISOString() };
  },
  describe: ({ work, organizationId, pausedSince }) =>
    `Resumed: ${work} of ${ofWhom(organizationId)}, paused since ${pausedSince}. What waits is taken up within 15 s.`,
});

const defaultTimeoutS = 120;

const drain = defineCommand({
  name: 'drain',
  summary: 'pause all work and wait until none is in progress, before maintenance of the stores; end it by resume all',
  fields: {
    reason,
    timeout: option(
      '--timeout <seconds>',
      `how long to wait: 5 to 3600, default ${defaultTimeoutS}`,
      wholeNumber(5, 3_600).optional(),
    ),
  },

  async run({ reason: why, timeout = defaultTimeoutS }, { clock, actor }) {
    const startedMs = performance.now();
    const isRepeat = (await readPauses()).covers('cleanup', null);
    if (!isRepeat) await pauseWork({ work: 'all', organizationId: null, reason: why }, actor, clock.now());
    const left = await awaitDrained(clock, timeout * 1_000);
    const named = Object.entries(left).map(([queue, count]) => `${queue} ${count}`);
    if (named.length > 0) {
      throw new AppError('CONFLICT', {
        message: `After ${timeout} s work is in progress: ${named.join(', ')}. All work stays paused: repeat drain to wait longer, or end the pause by: npm run admin -- resume all`,
      });
    }
    return { drainedAfterS: Math.round((performance.now() - startedMs) / 1_000) };
  },
  describe: ({ drainedAfterS }) =>
    `No work is in progress, after ${drainedAfterS} s. The API still accepts letters. End the pause by: npm run admin -- resume all`,
});

const requeue = defineCommand({
  name: 'requeue',
  summary: 'after a repair, make failed work that waits for a retry due now and reset its attempts',
  fields: { queue: argument('the queue, as in the metrics', oneOf(queueNames)), org: someOrg },

  async run({ queue, org }, services) {
    const { clock, actor } = services;
    const organizationId = await scopeOf(org);
    const request = { queue, organizationId };
    const count = await withHints(services, (hints) => requeueWork(request, actor, { hints, at: clock.now() }));
    return { queue, organizationId, count };
  },
  describe: ({ queue, organizationId, count }) =>
    count === 0
      ? `No work of ${queue} waits for another try.`
      : `Work of ${queue} that is tried now, of ${ofWhom(organizationId)}: ${count}.`,
});

export const controlCommands = [pause, resume, drain, requeue];
