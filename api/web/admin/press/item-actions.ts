import { z } from 'zod';
import { redirect } from '#api/web/framework/answer.ts';
import { requiredLine } from '#api/web/framework/forms/form-fields.ts';
import { type AnyAction, defineAction, definePage } from '#api/web/framework/page.ts';
import { actorOf } from '#api/web/framework/visit.ts';
import { findBatchedItem, type ItemMark, markItem } from '#common/production/operator/mark-item.ts';
import { reprintItem } from '#common/production/operator/reprint-item.ts';
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
    access: 'admin',
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
  access: 'admin',
  params: itemParams,
  form: withReason,
  page: itemPage,

  async run({ visit, params: { itemId }, form: { reason }, now }) {
    await reprintItem({ itemId, reason, by: actorOf(visit) }, now);
    return redirect(visit.href(itemPath(itemId), { notice: 'changeSaved' }));
  },
});

/** The copy as it is printed. Its signed URL is made when it is opened, because it expires. */
export const itemCopyPage = definePage({
  path: `${path}/copy`,
  access: 'admin',
  params: itemParams,
  isFile: true,

  async show({ params: { itemId }, now }, { proofs }) {
    const { job } = await findBatchedItem(itemId);
    return redirect((await proofs.signProof(job, itemId, now)).url);
  },
});
