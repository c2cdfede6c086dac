import { html } from 'hono/html';
import { z } from 'zod';
import { filterForm } from '#api/web/design/filter-form.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { emptyState, pageHead, pagination, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import type { CursorCodec } from '#common/cursor.ts';
import { type Mode, modes } from '#common/modes.ts';
import { listTemplates } from '#common/templates/read-templates.ts';
import type { TemplateRecord } from '#common/templates/template.model.ts';
import { definePage, type Visit } from './texts.ts';

const path = '/account/templates';
const pageSize = 25;

/** The templates of an organization. Each mode has its own. */
export const templatesPage = definePage({
  path,
  query: z.object({ mode: z.enum(modes).optional(), cursor: z.string().max(1_024).optional() }),

  async show({ visit, query: { cursor, mode: wanted } }, { cursors }) {
    const { organizationId } = visit.user;
    const mode = wanted ?? (await findUsedMode(organizationId, cursors));
    const { rows, nextCursor } = await listTemplates({ organizationId, mode }, { limit: pageSize, cursor }, cursors);
    const texts = visit.texts.templates;
    const content =
      rows.length === 0
        ? emptyState(texts.none, texts.noneHint)
        : html`${templateTable(visit, rows)}${pagination({ visit, path, query: { mode }, cursor, nextCursor })}`;
    const actions = html`<a class="button plain" href="${visit.href('/account/templates/letterhead')}">${texts.letterhead}</a>
<a class="button primary" href="${visit.href(`${path}/new`, { mode })}">${texts.add}</a>`;
    return view({
      title: visit.texts.frame.pages.templates,
      body: html`${pageHead({ title: visit.texts.frame.pages.templates, lead: texts.lead, actions })}
${filterForm({ visit, path, label: texts.filter, mode })}
${section(`${visit.texts.frame.pages.templates} (${visit.texts.words.modes[mode]})`, content)}`,
    });
  },
});

/** Returns the default mode: live once there are live templates, otherwise test. */
async function findUsedMode(organizationId: string, cursors: CursorCodec): Promise<Mode> {
  const { rows } = await listTemplates({ organizationId, mode: 'live' }, { limit: 1 }, cursors);
  return rows.length > 0 ? 'live' : 'test';
}

function templateTable(visit: Visit, rows: readonly TemplateRecord[]): Markup {
  const texts = visit.texts.templates;
  return table<TemplateRecord>(
    visit.texts.frame.pages.templates,
    [
      { label: texts.name, cell: ({ name }) => html`<strong>${name}</strong>` },
      { label: texts.language, cell: ({ language }) => texts.languages[language] },
      { label: texts.version, cell: ({ version }) => visit.format.number(version) },
      { label: texts.changed, cell: ({ updatedAt }) => visit.format.moment(updatedAt) },
      { label: texts.id, cell: ({ _id }) => html`<code>${_id}</code>` },
      {
        label: texts.edit,
        isLabelHidden: true,
        cell: ({ _id, name }) =>
          html`<a class="button plain" href="${visit.href(`${path}/${_id}`)}" aria-label="${texts.editOf(name)}">${texts.edit}</a>`,
      },
    ],
    rows,
  );
}
