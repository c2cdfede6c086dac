import { html } from 'hono/html';
import { z } from 'zod';
import { confirmForm } from '#api/web/design/form.ts';
import { pageHead, section } from '#api/web/design/page-parts.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { deleteTemplate } from '#common/templates/change-templates.ts';
import { readTemplateOfAnyMode } from '#common/templates/read-templates.ts';
import { templateParams } from './template-form.ts';
import { defineAction, definePage } from './texts.ts';

const path = '/account/templates/:templateId/delete';

/** Asks for confirmation, because deletion is permanent. */
export const deleteTemplatePage = definePage({
  path,
  params: templateParams,

  async show({ visit, params: { templateId }, sent }) {
    const texts = visit.texts.templates;
    const { name } = await readTemplateOfAnyMode(visit.user.organizationId, templateId);
    const form = confirmForm({
      ...{ visit, sent, action: `/account/templates/${templateId}/delete` },
      submit: { value: 'delete', label: texts.delete },
      keep: { label: texts.keep, path: `/account/templates/${templateId}` },
    });
    return view({
      title: texts.deleteTitle,
      body: html`${pageHead({ title: texts.deleteTitle, lead: texts.deleteHint })}
${section(name, form)}`,
    });
  },
});

export const deleteTemplateAction = defineAction({
  path,
  params: templateParams,
  form: z.object({}),
  page: deleteTemplatePage,

  async run({ visit, params: { templateId } }) {
    const { organizationId, mode } = await readTemplateOfAnyMode(visit.user.organizationId, templateId);
    await deleteTemplate({ organizationId, mode }, templateId);
    return redirect(visit.href('/account/templates', { mode, notice: 'templateDeleted' }));
  },
});
