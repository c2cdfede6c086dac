import { html } from 'hono/html';
import { z } from 'zod';
import { confirmForm } from '#api/web/design/form.ts';
import { facts, pageHead } from '#api/web/design/page-parts.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { callerOf } from '#api/web/visit/visit.ts';
import { cancelBulk } from '#common/bulk/actions/change-bulk.ts';
import { readBulkOfAnyMode } from '#common/bulk/read/read-bulk.ts';
import { bulkParams, bulkPath, orRefusal } from './bulk-parts.ts';
import { defineAction, definePage } from './texts.ts';

const path = `${bulkPath}/:bulkId/cancel` as const;

/** Asks for confirmation, because a cancelled bulk cannot be resumed. */
export const cancelBulkPage = definePage({
  path,
  params: bulkParams,

  async show({ visit, params: { bulkId }, sent }) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    const own = `${bulkPath}/${bulkId}`;
    const { bulk: texts } = visit.texts;
    const form = confirmForm({
      ...{ visit, sent, action: `${own}/cancel` },
      submit: { value: 'cancel', label: texts.cancel },
      keep: { label: texts.keep, path: own },
    });
    return view({
      title: texts.cancelTitle,
      body: html`${pageHead({ title: texts.cancelTitle, lead: texts.cancelLead })}
<section class="sheet">${facts([
        [visit.texts.words.list, bulk.file.filename],
        [
          texts.progress,
          texts.progressOf(visit.format.number(bulk.progress.sent), visit.format.number(bulk.counts.valid)),
        ],
      ])}${form}</section>`,
    });
  },
});

export const cancelBulkAction = defineAction({
  path,
  params: bulkParams,
  form: z.object({}),
  page: cancelBulkPage,

  async run({ visit, params: { bulkId }, now }, services) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    await orRefusal(cancelBulk(callerOf(visit, bulk), bulkId, services, now));
    return redirect(visit.href(`${bulkPath}/${bulkId}`, { notice: 'bulkCancelled' }));
  },
});
