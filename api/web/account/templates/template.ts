import { html } from 'hono/html';
import { z } from 'zod';
import { badge, modeBadge } from '#api/web/design/badge.ts';
import { buttonForm, postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { creatorFacts, facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { type Answer, download, redirect, view } from '#api/web/framework/answer.ts';
import { wholeNumber } from '#api/web/framework/forms/form-fields.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import { noForm, type SentForm } from '#api/web/visit/sent-form.ts';
import { callerOf } from '#api/web/visit/visit.ts';
import { listColumns, type SampleColumn, writeSampleList } from '#common/bulk/sample-list.ts';
import { hasCode } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import { changeTemplate, createTemplate } from '#common/templates/change-templates.ts';
import { listVersions, readTemplateOfAnyMode, readVersion } from '#common/templates/read-templates.ts';
import type { TemplateVersion } from '#common/templates/template.model.ts';
import { describeVariables } from '#common/templates/template.view.ts';
import {
  assertText,
  type CurrentTemplate,
  readSamples,
  templateFields,
  templateForm,
  templateParams,
} from './template-form.ts';
import { besidePreview, makePreview, type Preview } from './template-preview.ts';
import { defineAction, definePage, type Visit } from './texts.ts';

const path = '/account/templates/:templateId';
const maxVersion = 1_000_000;

type Shown = {
  owner: Owner;
  /** Newest first. */
  versions: TemplateVersion[];
  shown: TemplateVersion;
  current: CurrentTemplate;
  sent: SentForm;
  preview: Preview | null;
};

/** Reads what the page shows. Throws NOT_FOUND. */
async function readShown(visit: Visit, templateId: string, wanted?: number) {
  const organizationId = visit.user?.organizationId ?? '';
  const { mode, version } = await readTemplateOfAnyMode(organizationId, templateId);
  const owner = { organizationId, mode };
  const versions = await listVersions(owner, templateId);
  return { owner, versions, shown: await readVersion(owner, templateId, wanted ?? version) };
}

function show(visit: Visit, { owner, versions, shown, current, sent, preview }: Shown): Answer {
  const texts = visit.texts.templates;
  const { templateId, version } = shown;
  const latest = versions[0]?.version ?? version;
  const action = `/account/templates/${templateId}`;
  const back = html`<a class="button plain" href="${visit.href('/account/templates', { mode: owner.mode })}">${texts.back}</a>`;
  const known = facts([
    [visit.texts.words.labels.mode, modeBadge(visit.texts, owner.mode)],
    [texts.version, visit.format.number(version)],
    [texts.id, html`<code>${templateId}</code>`],
    ...creatorFacts(visit, shown.createdBy),
  ]);
  const oldNotice = notice(
    'info',
    html`<p class="notice-title">${texts.oldVersion(visit.format.number(version))}</p><p>${texts.oldVersionHint}</p>`,
  );
  const form = postForm(
    { visit, sent, action },
    (fields) => html`${fields.hidden('basedOn', String(latest))}${templateFields(visit, fields, current, sent)}`,
  );
  return view({
    title: shown.name,
    body: html`${pageHead({ title: shown.name, actions: back })}
${version === latest ? nothing : oldNotice}
${besidePreview(visit, preview, section(texts.text, html`${known}${form}`))}
${section(texts.listTitle, listUsage(visit, shown))}
${section(texts.useTitle, usage(visit, shown))}
${section(texts.versions, versionList(visit, versions, version))}
${section(texts.copyTitle, html`<p>${texts.copyHint[owner.mode]}</p>${buttonForm({ visit, action: `${action}/copy`, sent }, { value: 'copy', label: texts.copy[owner.mode], kind: 'plain' })}`)}
${section(texts.deleteHead, html`<p>${texts.deleteHint}</p><p><a class="button danger" href="${visit.href(`${action}/delete`)}">${texts.delete}</a></p>`)}`,
  });
}

/** The columns that a list for the template has. */
function listUsage(visit: Visit, { templateId, version, text }: TemplateVersion): Markup {
  const texts = visit.texts.templates;
  const href = visit.href(`/account/templates/${templateId}/sample`, { version: String(version) });
  const columns = listColumns(text, visit.language);
  return html`<p>${texts.listLead}</p>
${table(
  texts.listTitle,
  [
    { label: texts.column, cell: ({ heading }: SampleColumn) => heading },
    { label: texts.example, cell: ({ example }: SampleColumn) => example },
  ],
  columns,
)}
<p class="actions"><a class="button plain" href="${href}">${texts.downloadSample}</a></p>`;
}

/** The fields of a request that uses the template. */
function usage(visit: Visit, { templateId, text }: TemplateVersion): Markup {
  const own = describeVariables(text).filter(({ isRecipient }) => !isRecipient);
  const variables = own.map(({ name }) => [name, '…'] as const);
  const fields = { templateId, mergeVariables: Object.fromEntries(variables) };
  return html`<p>${visit.texts.templates.useLead}</p><pre tabindex="0"><code>${JSON.stringify(fields, null, 2)}</code></pre>`;
}

function versionList(visit: Visit, versions: readonly TemplateVersion[], shown: number): Markup {
  const texts = visit.texts.templates;
  const items = versions.map(({ templateId, version, createdAt }, index) => {
    const label = visit.texts.words.versionOf(visit.format.number(version));
    const query = index === 0 ? {} : { version: String(version) };
    const link =
      version === shown
        ? html`<span aria-current="true">${label}</span>`
        : html`<a href="${visit.href(`/account/templates/${templateId}`, query)}">${label}</a>`;
    return html`<li>${link} <span class="quiet">${visit.format.moment(createdAt)}</span>${index === 0 ? html` ${badge('neutral', texts.latest)}` : nothing}</li>`;
  });
  return html`<p>${texts.versionsLead}</p><ul class="links">${items}</ul>`;
}

const versionQuery = z.object({
  version: z
    .string()
    .regex(/^[1-9]\d{0,5}$/)
    .transform(Number)
    .optional(),
});

export const sampleListFile = definePage({
  path: `${path}/sample`,
  params: templateParams,
  query: versionQuery,
  isFile: true,
  async show({ visit, params: { templateId }, query }) {
    const { shown } = await readShown(visit, templateId, query.version);
    const body = writeSampleList(listColumns(shown.text, visit.language));
    return download({ contentType: 'text/csv', filename: `${templateId}-list.csv`, body });
  },
});

export const templatePage = definePage({
  path,
  params: templateParams,
  query: versionQuery,

  async show({ visit, params: { templateId }, query, sent }) {
    const read = await readShown(visit, templateId, query.version);
    const { name, language, text } = read.shown;
    return show(visit, { ...read, current: { name, language, text, samples: {} }, sent, preview: null });
  },
});

export const changeTemplateAction = defineAction({
  path,
  params: templateParams,
  form: templateForm.extend({ basedOn: wholeNumber(1, maxVersion) }),
  page: templatePage,
  isLong: true,

  async run({ visit, params: { templateId }, form, now }, services) {
    const { basedOn, name, language, text, action } = form;
    assertText(form);
    const read = await readShown(visit, templateId);
    if (action === 'preview') {
      const samples = readSamples(form);
      const preview = await makePreview(visit, read.owner, { language, text, samples }, services, now);
      return show(visit, { ...read, current: { name, language, text, samples }, sent: noForm, preview });
    }
    await changeTemplate(callerOf(visit, read.owner), templateId, { name, language, text, basedOn }, now).catch(
      (error: unknown) => {
        throw hasCode(error, 'CONFLICT') ? new FormRefusal({ '': 'templateChanged' }, { status: 409 }) : error;
      },
    );
    return redirect(visit.href(`/account/templates/${templateId}`, { notice: 'templateSaved' }));
  },
});

export const copyTemplateAction = defineAction({
  path: `${path}/copy`,
  params: templateParams,
  form: z.object({}),
  page: templatePage,

  async run({ visit, params: { templateId }, now }) {
    const { owner, shown } = await readShown(visit, templateId);
    const other: Owner = { ...owner, mode: owner.mode === 'test' ? 'live' : 'test' };
    const { name, language, text } = shown;
    const copy = await createTemplate(callerOf(visit, other), { name, language, text }, now);
    return redirect(visit.href(`/account/templates/${copy.templateId}`, { notice: 'templateCopied' }));
  },
});
