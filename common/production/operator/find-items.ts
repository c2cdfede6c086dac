import type { CursorCodec } from '#common/cursor.ts';
import {
  batchedExternalIdIndex,
  batchedZipIndex,
  batchIndex,
  MailJob,
  type MailJobRecord,
} from '#common/mail-jobs/model/mail-job.model.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import { findRows } from '#common/platform/mongo/mongo.ts';
import type { Projected } from '#common/platform/mongo/projected.ts';
import { type Page, type PageQuery, toPage } from '#common/platform/mongo/read-page.ts';

/** An item in a list. Privacy: of the address, only the postcode and the country. */
export type ListedItem = {
  itemId: string;
  mailJobId: string;
  batchId: string;
  zip: string;
  country: string;
  status: MailStatus;
};

const projection = {
  batchId: 1,
  externalId: 1,
  'items.itemId': 1,
  'items.zip': 1,
  'items.country': 1,
  'items.status': 1,
} as const;
type JobWithItems = Projected<MailJobRecord, typeof projection>;

/** Most items that a search returns. */
export const maxFound = 50;

/**
 * Returns a page of the items of a batch in the order of printing, of those with a `status` if one is given. A status
 * that few items have reads the whole batch.
 */
export async function listBatchItems(
  batchId: string,
  { status, limit, cursor }: PageQuery & { status?: MailStatus | undefined },
  cursors: CursorCodec,
): Promise<Page<ListedItem>> {
  const scope = { route: 'batch-items', batchId, status };
  const [fromJob = '', shown = ''] = cursor === undefined ? [] : cursors.open(cursor, scope).split(' ');
  const filter = {
    batchId,
    ...(fromJob !== '' && { _id: { $gte: fromJob } }),
    ...(status && { 'items.status': status }),
  };
  // Each letter has at least one item that fits. The first one may have been shown already, and one shows that more follow.
  const options = { projection, sort: batchIndex, hint: batchIndex, limit: limit + 2 };
  const jobs = await findRows(MailJob, filter, options);
  const found = jobs.flatMap((job) => {
    const positioned = toItems(job).map((item, index) => ({ ...item, _id: `${job._id} ${index}` }));
    const rest = job._id === fromJob ? positioned.slice(Number(shown) + 1) : positioned;
    return rest.filter((item) => status === undefined || item.status === status);
  });
  const { rows, ...page } = toPage(found, limit, ({ _id }) => cursors.seal(_id, scope));
  return { ...page, rows: rows.map(({ _id, ...item }) => item) };
}

/**
 * Returns the items in a batch whose letter has this id or `externalId`, or whose recipient has this postcode: newest
 * first, at most 50. Case and spaces count.
 */
export async function searchItems(text: string): Promise<ListedItem[]> {
  const find = async (filter: object, hint: Record<string, 1 | -1>) => {
    const options = { projection, sort: { _id: -1 }, hint, limit: maxFound } as const;
    return await findRows(MailJob, { ...filter, batchId: { $exists: true } }, options);
  };
  const [byId, byExternalId, byZip] = await Promise.all([
    find({ _id: text }, { _id: 1 }),
    find({ externalId: text }, batchedExternalIdIndex),
    find({ 'items.zip': text }, batchedZipIndex),
  ]);
  const found = [
    ...byId.flatMap(toItems),
    ...byExternalId.flatMap(toItems),
    ...byZip
      .filter(({ externalId }) => externalId !== text)
      .flatMap(toItems)
      .filter(({ zip }) => zip === text),
  ];
  return found.slice(0, maxFound);
}

function toItems({ _id: mailJobId, batchId = '', items }: JobWithItems): ListedItem[] {
  return items.map(({ itemId, zip, country, status }) => ({ itemId, mailJobId, batchId, zip, country, status }));
}
