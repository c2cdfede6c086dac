import { z } from 'zod';
import { idOf } from '#api/path-id.ts';
import { redirect } from '#api/web/framework/answer.ts';
import { choice } from '#api/web/framework/forms/form-fields.ts';
import { defineAction, definePage } from '#api/web/framework/page.ts';
import { actorOf } from '#api/web/framework/visit.ts';
import { AppError } from '#common/errors.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { readBatch } from '#common/production/operator/mark-batch.ts';
import { itemMarks } from '#common/production/operator/mark-item.ts';
import { parseScan } from '#common/production/operator/parse-scan.ts';
import { recordScan } from '#common/production/operator/record-scan.ts';
import { batchPath, scanPath } from './press-parts.ts';
import { recordedBand, showScan, waitingBand, wrongBand } from './scan-view.ts';

/** One field for a scanner that types like a keyboard, or for a phone. What is recorded is chosen once. */
export const scanPage = definePage({
  path: scanPath,
  access: 'admin',
  query: z.object({ mark: z.enum(itemMarks).optional(), batch: idOf('bat').optional() }),

  async show({ visit, query: { mark = 'printed', batch }, sent }) {
    const settings = { mark, batchId: batch, reason: '' };
    const isRefused = sent.path !== null;
    return await showScan(visit, settings, isRefused ? wrongBand('Open this page again.') : waitingBand(settings));
  },
});

export const scanAction = defineAction({
  path: scanPath,
  access: 'admin',
  form: z.object({
    mark: choice(itemMarks),
    batch: idOf('bat').optional(),
    code: z.string().max(1_000),
    reason: z.string().trim().max(1_000).default(''),
  }),
  page: scanPage,
  isRapid: true,

  // Shows the page at once instead of redirecting: the next item is scanned half a second later.
  async run({ visit, form: { mark, batch, code, reason }, now }, { hints }) {
    const settings = { mark, batchId: batch, reason };
    try {
      const scanned = parseScan(code);
      if (scanned?.kind === 'batch') {
        return redirect(visit.href(batchPath((await readBatch(scanned.batchId))._id)));
      }
      const checked = mark === 'failed' ? checkReason(reason) : undefined;
      // Enter in the field of the reason.
      if (code.trim() === '') return await showScan(visit, settings, waitingBand(settings));
      const scan = { code, mark, batchId: batch, reason: checked, by: actorOf(visit) };
      const recorded = await recordScan(scan, { hints, at: now });
      return await showScan(visit, settings, recordedBand(visit, settings, { ...recorded, scanned }));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      const message = error.issues?.[0]?.message ?? error.message;
      return await showScan(visit, settings, wrongBand(message), error.status);
    }
  },
});

/** Returns the reason of a failure. Throws CONFLICT with what to do. */
function checkReason(reason: string): string {
  if (parseScan(reason)) throw new AppError('CONFLICT', { message: 'You scanned into the reason. Clear it first.' });
  const checked = lineOfText(255).safeParse(reason);
  if (checked.success) return checked.data;
  const message = 'Say first why the items failed, in at most 255 characters. Their senders see it.';
  throw new AppError('CONFLICT', { message });
}
