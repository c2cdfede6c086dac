import { z } from 'zod';
import { defineAction, definePage } from '#api/web/admin/admin-pages.ts';
import { redirect } from '#api/web/framework/answer.ts';
import { checkbox, choice, requiredLine } from '#api/web/framework/forms/form-fields.ts';
import type { AnyAction } from '#api/web/framework/page.ts';
import { actorOf } from '#api/web/visit/visit.ts';
import { returnReasons } from '#common/mail-jobs/model/returned.ts';
import { findBatchedItem } from '#common/production/batches/find-batched-item.ts';
import { type ItemMark, markItem } from '#common/production/operator/mark-item.ts';
import { dropScannerCodes } from '#common/production/operator/parse-scan.ts';
import { reprintItem } from '#common/production/operator/reprint-item.ts';
import { markReturned } from '#common/production/returns/mark-returned.ts';
import { recordTracking } from '#common/production/tracking/record-tracking.ts';
import { itemPage } from './item.ts';
import { itemParams, itemPath, pressPath } from './press-parts.ts';

const path = `${pressPath}/items/:itemId` as const;
const noFields = z.object({}).transform((): { reason?: string } => ({}));
const withReason = z.object({ reason: requiredLine(255) });

export const itemPrintedAction = declareMark('printed', noFields);
export const itemPostedAction = declareMark('posted', noFields);
export const itemDeliveredAction = declareMark('delivered', noFields);
export const itemFailedAction = declareMark('failed', withReason);

function declareMark(mark: ItemMark, form: z.ZodType<{ reason?: string }>): AnyAction {
  return defineAction({
    path: `${path}/${mark}`,
    params: itemParams,
    form,
    page: itemPage,

    async run({ visit, params: { itemId }, form: { reason }, now }, { hints }) {
      await markItem({ itemId, mark, reason, by: actorOf(visit) }, { hints, at: now });
      return redirect(visit.href(itemPath(itemId), { notice: 'changeSaved' }));
    },
  });
}

export const reprintItemAction = defineAction({
  path: `${path}/reprint`,
  params: itemParams,
  form: withReason,
  page: itemPage,

  async run({ visit, params: { itemId }, form: { reason }, now }) {
    await reprintItem({ itemId, reason, by: actorOf(visit) }, now);
    return redirect(visit.href(itemPath(itemId), { notice: 'changeSaved' }));
  },
});

export const labelItemAction = defineAction({
  path: `${path}/label`,
  params: itemParams,
  form: z.object({ label: z.string().max(1_000), replace: checkbox }),
  page: itemPage,

  async run({ visit, params: { itemId }, form: { label, replace }, now }) {
    await recordTracking({ itemId, label: dropScannerCodes(label), replace }, actorOf(visit), now);
    return redirect(visit.href(itemPath(itemId), { notice: 'changeSaved' }));
  },
});

export const returnItemAction = defineAction({
  path: `${path}/returned`,
  params: itemParams,
  form: z.object({ reason: choice(returnReasons) }),
  page: itemPage,

  async run({ visit, params: { itemId }, form: { reason }, now }, { hints }) {
    await markReturned({ itemId, reason, by: actorOf(visit) }, { hints, at: now });
    return redirect(visit.href(itemPath(itemId), { notice: 'changeSaved' }));
  },
});

/** The copy as it is printed. Its signed URL is made when it is opened, because it expires. */
export const itemCopyPage = definePage({
  path: `${path}/copy`,
  params: itemParams,
  isFile: true,

  async show({ params: { itemId }, now }, { proofs }) {
    const { job } = await findBatchedItem(itemId);
    return redirect((await proofs.signProof(job, itemId, now)).url);
  },
});
