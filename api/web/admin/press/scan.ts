import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { defineAction, definePage } from '#api/web/admin/admin-pages.ts';
import { type Answer, redirect } from '#api/web/framework/answer.ts';
import { choice } from '#api/web/framework/forms/form-fields.ts';
import { actorOf, type VisitOf } from '#api/web/visit/visit.ts';
import { conflict } from '#common/errors.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { returnReasons } from '#common/mail-jobs/model/returned.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { readBatch } from '#common/production/batches/read-batch.ts';
import type { ItemMark } from '#common/production/operator/mark-item.ts';
import { parseScan } from '#common/production/operator/parse-scan.ts';
import { recordScan } from '#common/production/operator/record-scan.ts';
import { batchPath, scanPath } from './press-parts.ts';
import { openLabelScan, scanLabel } from './scan-label.ts';
import { scanReturn } from './scan-return.ts';
import {
  recordedBand,
  refusalOf,
  type ScanSettings,
  scanMarks,
  showScan,
  waitingBand,
  wrongBand,
} from './scan-view.ts';

/** One field for a scanner that types like a keyboard, or for a phone. What is recorded is chosen once. */
export const scanPage = definePage({
  path: scanPath,
  query: z.object({
    mark: z.enum(scanMarks).optional(),
    batch: idOf('bat').optional(),
    reason: z.enum(returnReasons).optional(),
    item: idOf('mi').optional(),
    left: idOf('mi').optional(),
  }),

  async show({ visit, query: { mark = 'printed', batch, reason = '', item, left }, sent }) {
    const settings = { mark, batchId: batch, reason, waitingId: item };
    if (sent.path !== null) return await showScan(visit, settings, wrongBand('Open this page again.'));
    if (mark === 'label') return await openLabelScan(visit, settings, left);
    return await showScan(visit, settings, waitingBand(visit, settings));
  },
});

export const scanAction = defineAction({
  path: scanPath,
  form: z.object({
    mark: choice(scanMarks),
    batch: idOf('bat').optional(),
    item: idOf('mi').optional(),
    // Of any length that a form may have: the sentence about a wrong scan then keeps what was chosen on the page.
    code: z.string(),
    reason: z.string().trim().default(''),
  }),
  page: scanPage,
  isRapid: true,

  // Shows the page at once instead of redirecting: the next item is scanned half a second later.
  async run({ visit, form: { mark, batch, item, code, reason }, now }, { hints }) {
    const settings = { mark, batchId: batch, reason, waitingId: item };
    const context = { hints, at: now };
    try {
      const scanned = parseScan(code);
      if (scanned?.kind === 'batch') {
        return redirect(visit.href(batchPath((await readBatch(scanned.batchId))._id)));
      }
      if (mark === 'label') return await scanLabel(visit, settings, { code, at: now });
      if (mark === 'returned') return await scanReturn(visit, settings, { code, context });
      return await scanMark(visit, { ...settings, mark }, { code, context });
    } catch (error) {
      const { message, status } = refusalOf(error);
      return await showScan(visit, settings, wrongBand(message), status);
    }
  },
});

/** Records the result of the scanned item. */
async function scanMark(
  visit: VisitOf<'admin'>,
  settings: ScanSettings & { mark: ItemMark },
  { code, context }: { code: string; context: { hints: Hints; at: Date } },
): Promise<Answer> {
  const { mark, batchId, reason } = settings;
  const checked = mark === 'failed' ? checkReason(reason) : undefined;
  // Enter in the field of the reason.
  if (code.trim() === '') return await showScan(visit, settings, waitingBand(visit, settings));
  const recorded = await recordScan({ code, mark, batchId, reason: checked, by: actorOf(visit) }, context);
  return await showScan(visit, settings, recordedBand(visit, settings, { ...recorded, scanned: parseScan(code) }));
}

/** Returns the reason of a failure. Throws CONFLICT with what to do. */
function checkReason(reason: string): string {
  if (parseScan(reason)) throw conflict('You scanned into the reason. Clear it first.');
  const checked = lineOfText(255).safeParse(reason);
  if (checked.success) return checked.data;
  const message = 'Say first why the items failed, in at most 255 characters. Their senders see it.';
  throw conflict(message);
}
