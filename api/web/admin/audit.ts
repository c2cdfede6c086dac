import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import type { AuditEntryRecord } from '#common/audit/audit.model.ts';
import { listAudit } from '#common/audit/list-audit.ts';
import { badge, modeBadge } from '../design/badge.ts';
import type { Markup } from '../design/markup.ts';
import { emptyState, pageHead, pagination, section } from '../design/page-parts.ts';
import { table } from '../design/table.ts';
import { view } from '../framework/answer.ts';
import { definePage } from './admin-pages.ts';

const path = '/admin/audit';
const pageSize = 50;

/** All changes made by people, newest first. Limited to one organization when the query names it. */
export const auditPage = definePage({
  path,
  query: z.object({
    organizationId: idOf('org').optional(),
    cursor: z.string().max(1_024).optional(),
  }),

  async show({ visit, query: { organizationId, cursor } }, { cursors }) {
    const { rows, nextCursor } = await listAudit({ organizationId, limit: pageSize, cursor }, cursors);
    const { href } = visit;
    const all = html`<a class="button plain" href="${href(path)}">All changes</a>`;
    const lead =
      'Who changed what: in this area, in accounts, through the API and on the command line. Entries are never edited or deleted.';
    return view({
      title: 'Audit log',
      body: html`${pageHead({ title: 'Audit log', lead, ...(organizationId && { actions: all }) })}
${section(
  organizationId === undefined ? 'All changes' : `Changes to ${organizationId}`,
  html`${
    rows.length === 0 ? emptyState('No changes yet', 'The first change will appear here.') : auditTable(visit, rows)
  }${pagination({ visit, path, query: { organizationId }, cursor, nextCursor })}`,
)}`,
    });
  },
});

function auditTable({ href, format, texts }: Visit, rows: readonly AuditEntryRecord[]): Markup {
  const subject = ({ subjectId, organizationId }: AuditEntryRecord) =>
    organizationId === null
      ? html`<code>${subjectId}</code>`
      : html`<a href="${href(`/admin/organizations/${organizationId}`)}"><code>${subjectId}</code></a>`;
  const detail = (entry: AuditEntryRecord) =>
    Object.entries(entry.detail)
      .map(([name, value]) => `${name}: ${value ?? 'none'}`)
      .join(', ') || 'None';
  return table<AuditEntryRecord>(
    'Changes',
    [
      { label: 'When', cell: ({ at }) => format.moment(at) },
      { label: 'Change', cell: ({ action }) => badge('neutral', action) },
      { label: 'Mode', cell: ({ mode }) => (mode ? modeBadge(texts, mode) : 'Both') },
      { label: 'Subject', cell: subject },
      { label: 'Detail', cell: detail },
      { label: 'By', cell: ({ actor }) => html`<span>${actor.kind} <code>${actor.id}</code></span>` },
    ],
    rows,
  );
}
