import { html } from 'hono/html';
import { z } from 'zod';
import { postForm } from '#api/web/design/form.ts';
import { pageHead, section } from '#api/web/design/page-parts.ts';
import { type Answer, redirect, view } from '#api/web/framework/answer.ts';
import { choice } from '#api/web/framework/forms/form-fields.ts';
import { noForm, type SentForm } from '#api/web/visit/sent-form.ts';
import { callerOf } from '#api/web/visit/visit.ts';
import { type Mode, modes } from '#common/modes.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { assertText, type CurrentTemplate, readSamples, templateFields, templateForm } from './template-form.ts';
import { besidePreview, makePreview, type Preview } from './template-preview.ts';
import { defineAction, definePage, type Visit } from './texts.ts';

const path = '/account/templates/new';

type Shown = { mode: Mode; current: CurrentTemplate; sent: SentForm; preview: Preview | null };

function show(visit: Visit, { mode, current, sent, preview }: Shown): Answer {
  const texts = visit.texts.templates;
  const options = modes.map((value) => ({ value, label: visit.texts.words.modes[value] }));
  const back = html`<a class="button plain" href="${visit.href('/account/templates', { mode })}">${texts.back}</a>`;
  const form = postForm(
    { visit, sent, action: path },
    (
      fields,
    ) => html`${fields.radios({ name: 'mode', label: visit.texts.words.labels.mode, hint: texts.modeHint, options, chosen: [mode] })}
${templateFields(visit, fields, current, sent)}`,
  );
  return view({
    title: texts.add,
    body: html`${pageHead({ title: texts.add, actions: back })}
${besidePreview(visit, preview, section(texts.text, form))}`,
  });
}

export const newTemplatePage = definePage({
  path,
  query: z.object({ mode: z.enum(modes).optional() }),

  async show({ visit, query, sent }) {
    const { language } = visit;
    const current = { name: '', language, text: visit.texts.templates.starter, samples: {} };
    return show(visit, { mode: query.mode ?? 'test', current, sent, preview: null });
  },
});

export const createTemplateAction = defineAction({
  path,
  form: templateForm.extend({ mode: choice(modes) }),
  page: newTemplatePage,
  isLong: true,

  async run({ visit, form, now }, services) {
    const { mode, name, language, text, action } = form;
    assertText(form);
    const owner = { organizationId: visit.user.organizationId, mode };
    if (action === 'preview') {
      const samples = readSamples(form);
      const preview = await makePreview(visit, owner, { language, text, samples }, services, now);
      return show(visit, { mode, current: { name, language, text, samples }, sent: noForm, preview });
    }
    const { templateId } = await createTemplate(callerOf(visit, owner), { name, language, text }, now);
    return redirect(visit.href(`/account/templates/${templateId}`, { notice: 'templateSaved' }));
  },
});
