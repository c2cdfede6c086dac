import { z } from 'zod';
import type { CursorCodec } from '#common/cursor.ts';
import { addressViewFields } from '#common/fields/text.schema.ts';
import type { Owner } from '#common/modes.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { type Page, type PageQuery, readPageByTime } from '#common/platform/mongo/read-page.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import { mailStatuses } from '../model/mail-status.ts';
import { Returned, toReturned } from '../model/returned.ts';
import { ReturnedItem, type ReturnedItemRecord, returnedItemsByOwner } from '../model/returned-item.model.ts';

const { name, zip, city, country } = addressViewFields;

/** A copy that came back. */
export const ReturnedItemView = z
  .object({
    itemId: z.string(),
    mailJobId: z.string(),
    externalId: z.string().nullable(),
    status: z.enum(mailStatuses).describe('Of this copy. Coming back does not change it.'),
    returned: Returned,
    ...{ name, zip, city, country },
  })
  .meta({ id: 'ReturnedItem' });
export type ReturnedItemView = z.infer<typeof ReturnedItemView>;

export type ReturnedItemFilter = PageQuery & { updatedAfter?: Date | undefined };

/** Returns a page of an owner's items that came back, newest first. */
export async function listReturnedItems(
  { organizationId, mode }: Owner,
  { updatedAfter, ...page }: ReturnedItemFilter,
  cursors: CursorCodec,
): Promise<Page<ReturnedItemView>> {
  const list = {
    model: ReturnedItem as never,
    timeField: 'at' as const,
    filter: { organizationId, mode },
    hint: returnedItemsByOwner,
    after: updatedAfter,
    scope: { route: 'items', organizationId, mode, state: 'returned' },
  };
  const { rows, ...rest } = await readPageByTime<ReturnedItemRecord>(list, page, cursors);
  return { ...rest, rows: await withLetters({ organizationId, mode }, rows) };
}

type Letter = Pick<MailJobRecord, '_id' | 'externalId' | 'items'>;

/** Adds what the letters of the items say. With one query, which reads no other items of the letters. */
async function withLetters(owner: Owner, rows: readonly ReturnedItemRecord[]): Promise<ReturnedItemView[]> {
  if (rows.length === 0) return [];
  const mailJobIds = [...new Set(rows.map(({ mailJobId }) => mailJobId))];
  const isReturned = { $in: ['$$this.itemId', rows.map(({ _id }) => _id)] };
  const letters = await rowsOf<MailJobRecord>(MailJob)
    .aggregate<Letter>([
      { $match: { _id: { $in: mailJobIds }, ...owner } },
      { $project: { externalId: 1, items: { $filter: { input: '$items', cond: isReturned } } } },
    ])
    .toArray();
  const found = letters.flatMap(({ _id: mailJobId, externalId = null, items }) =>
    items.map((item) => [item.itemId, { mailJobId, externalId, item }] as const),
  );
  const byItem = new Map(found);
  return rows.flatMap(({ _id: itemId, reason, at }) => {
    const letter = byItem.get(itemId);
    return letter ? [toView(letter, toReturned({ reason, at }))] : [];
  });
}

function toView(
  {
    mailJobId,
    externalId,
    item,
  }: { mailJobId: string; externalId: string | null; item: MailJobRecord['items'][number] },
  returned: Returned,
): ReturnedItemView {
  const { itemId, status, name, zip, city, country } = item;
  return { itemId, mailJobId, externalId, status, returned, name, zip, city, country };
}
