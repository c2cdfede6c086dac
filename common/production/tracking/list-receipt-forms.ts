import { MailJob, type MailJobRecord, receiptIndex } from '#common/mail-jobs/model/mail-job.model.ts';
import { findRows } from '#common/platform/mongo/mongo.ts';
import type { Projected } from '#common/platform/mongo/projected.ts';

/** The most letters that one call reads. */
const maxLetters = 500;

/** A printed item that needs the form for an acknowledgment of receipt before it is posted. */
export type ReceiptForm = {
  itemId: string;
  mailJobId: string;
  batchId: string;
  dropAt: Date;
  /** Null while the label was not recorded: it is on the form too. */
  trackingNumber: string | null;
  recipient: Pick<MailJobRecord['items'][number], 'name' | 'line1' | 'line2' | 'zip' | 'city' | 'country'>;
};

type ReceiptForms = {
  forms: ReceiptForm[];
  /** Whether there are further letters: they are listed once those of this list are posted. */
  isMore: boolean;
};

const projection = { batchId: 1, dropAt: 1, items: 1 } as const;
type LetterWithForms = Projected<MailJobRecord, typeof projection> & { batchId: string };

/** What `receiptIndex` covers, and an item that is printed. */
export const receiptFilter = {
  mode: 'live',
  serviceType: 'registered',
  acknowledgmentReceipt: true,
  batchId: { $exists: true },
  status: { $in: ['queued', 'printed'] },
  'items.status': 'printed',
} as const;

/**
 * Lists the live items of registered letters with an acknowledgment of receipt that are printed and not yet posted, by the
 * cutoff of their letters: those of the first 500 letters, or of `limit`.
 */
export async function listReceiptForms({ limit = maxLetters }: { limit?: number } = {}): Promise<ReceiptForms> {
  const bound = Math.min(limit, maxLetters);
  const options = { projection, sort: receiptIndex, hint: receiptIndex, limit: bound + 1 };
  const letters = (await findRows(MailJob, receiptFilter, options)) as LetterWithForms[];
  return { forms: letters.slice(0, bound).flatMap(toForms), isMore: letters.length > bound };
}

function toForms({ _id: mailJobId, batchId, dropAt, items }: LetterWithForms): ReceiptForm[] {
  const printed = items.filter(({ status }) => status === 'printed');
  return printed.map(({ itemId, tracking, name, line1, line2, zip, city, country }) => {
    const recipient = { name, line1, line2, zip, city, country };
    return { itemId, mailJobId, batchId, dropAt, trackingNumber: tracking?.number ?? null, recipient };
  });
}
