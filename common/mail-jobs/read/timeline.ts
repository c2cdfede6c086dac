import { z } from 'zod';
import { openEnum } from '#common/fields/open-enum.schema.ts';
import { type HistoryRecord, historyKinds, ItemHistory } from '../items/item-history.model.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';

/** Steps of the whole letter, which the mail job records itself. */
const letterKinds = ['queued', 'rendered'] as const;

export const TimelineEntry = z
  .object({
    at: z.iso.datetime(),
    itemId: z.string().nullable().describe('The copy that took the step; null for the whole letter.'),
    kind: openEnum([...letterKinds, ...historyKinds]),
    detail: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .describe('What is to be known about the step, for example the amount of a refund.'),
  })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/**
 * A hundred copies with a hundred steps each. Only a letter that is postponed for months takes more: then the oldest ones
 * are left out.
 */
export const maxSteps = 10_000;

/** Returns the steps of a letter and of its copies, oldest first, at most the latest 10,000 of its copies. */
export async function readTimeline(job: MailJobRecord): Promise<TimelineEntry[]> {
  const { _id: mailJobId, organizationId, mode, createdAt, queuedAt, printFile } = job;
  const steps = await ItemHistory.find({ mailJobId, organizationId, mode })
    .sort({ at: -1 })
    .limit(maxSteps)
    .lean<HistoryRecord[]>();
  steps.reverse();
  const ofLetter = (kind: (typeof letterKinds)[number], at: Date, detail: TimelineEntry['detail']) => ({
    ...{ at: at.toISOString(), itemId: null, kind, detail },
  });
  const order = new Map(job.items.map(({ itemId }, index) => [itemId, index]));
  const ofItems = steps.map(({ at, itemId, kind, detail }) => ({ at: at.toISOString(), itemId, kind, detail }));
  const entries: TimelineEntry[] = [
    ofLetter('queued', queuedAt ?? createdAt, {}),
    ...(printFile ? [ofLetter('rendered', printFile.renderedAt, { pages: printFile.pageCount })] : []),
    ...ofItems,
  ];
  // Steps of one moment in the order of the recipients, and a refund after its failure.
  const rank = ({ itemId, kind }: TimelineEntry) =>
    itemId === null ? -1 : (order.get(itemId) ?? 0) * 2 + Number(kind === 'refunded');
  return entries.sort((a, b) => (a.at === b.at ? rank(a) - rank(b) : a.at < b.at ? -1 : 1));
}
