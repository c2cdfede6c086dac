import type { VatPart } from '../money.ts';
import type { ReadOlderVat } from '../wallet/statement.ts';
import { MailJob } from './mail-job.model.ts';
import { type VatSource, vatOfDebit, vatOfRefund } from './vat-shares.ts';

/**
 * The VAT of ledger entries that were written before they carried it: from the amounts of their mail jobs, which never
 * change. One query for a batch of entries.
 */
export const readOlderVat: ReadOlderVat = async (entries) => {
  const ids = new Set(entries.flatMap(({ mailJobId }) => mailJobId ?? []));
  const jobs = await MailJob.find({ _id: { $in: [...ids] } })
    .select({ 'amounts.vat': 1, 'items.itemId': 1, 'items.shareCents': 1 })
    .lean<(VatSource & { _id: string })[]>();
  const byId = new Map(jobs.map((job) => [job._id, job]));
  return new Map(
    entries.map(({ _id, mailJobId, itemId }): [string, VatPart[]] => {
      const job = byId.get(mailJobId ?? '');
      if (!job) return [_id, []];
      return [_id, itemId === null ? vatOfDebit(job) : vatOfRefund(job, itemId)];
    }),
  );
};
