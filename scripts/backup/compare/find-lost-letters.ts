import { isId, timeOfId } from '#common/ids.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';

/** A letter that was accepted, debited and rendered. Only its print file is left. */
export type LostLetter = { mailJobId: string; organizationId: string; sentAt: string; printFile: string };

const prefix = 'p/';
const lettersAtOnce = 1_000;

/** Returns the letters whose print files are in the bucket and whose rows are not in the database, oldest first. */
export async function findLostLetters(store: Pick<ObjectStore, 'list'>): Promise<LostLetter[]> {
  const lost: LostLetter[] = [];
  let page: LostLetter[] = [];
  async function compare(): Promise<void> {
    const ids = page.map(({ mailJobId }) => mailJobId);
    const known = new Set((await MailJob.find({ _id: { $in: ids } }, { _id: 1 }).lean()).map(({ _id }) => _id));
    lost.push(...page.filter(({ mailJobId }) => !known.has(mailJobId)));
    page = [];
  }
  for await (const { key } of store.list(prefix)) {
    const [, organizationId = '', mailJobId = ''] = /^p\/([^/]+)\/([^/]+)\.pdf$/.exec(key) ?? [];
    if (!isId('mj', mailJobId)) continue;
    page.push({ mailJobId, organizationId, sentAt: timeOfId(mailJobId).toISOString(), printFile: key });
    if (page.length === lettersAtOnce) await compare();
  }
  await compare();
  return lost.sort((left, right) => (left.mailJobId < right.mailJobId ? -1 : 1));
}
