import { html } from 'hono/html';
import { z } from 'zod';
import { isId } from '../../../../common/ids.ts';
import type { AuditEntryRecord } from '../../../../common/organizations/audit.model.ts';
import { listAudit } from '../../../../common/organizations/list-audit.ts';
import { view } from '../../answer.ts';
import type { Markup } from '../../markup.ts';
import { definePage } from '../../page.ts';
import { badge } from '../../views/badge.ts';
import { emptyState, pageHead, pagination, section } from '../../views/page-parts.ts';
import { table } from '../../views/table.ts';
import type { Visit } from '../../visit.ts';

const path = '/admin/audit';
const pageSize = 50;

/** Every change that people made, the latest first; of one organization when its id is in the address. */
export const auditPage = definePage({
  path,
  access: 'admin',
  query: z.object({
    organizationId: z
      .string()
      .refine((text) => isId('org', text))
      .optional(),
    cursor: z.string().max(1_024).optional(),
  }),

  async show({ visit, query: { organizationId, cursor } }, { cursors }) {
    const { rows, nextCursor } = await listAudit({ organizationId, limit: pageSize, cursor }, cursors);
    const { href } = visit;
    const all = html`<a class="button plain" href="${href(path)}">All changes</a>`;
    const lead = 'Who has changed what, in this area, in accounts, and by the command line. Entries stay as they are.';
    return view({
      title: 'Audit log',
      body: html`${pageHead({ title: 'Audit log', lead, ...(organizationId && { actions: all }) })}
${section(
  organizationId === undefined ? 'All changes' : `Changes of ${organizationId}`,
  html`${
    rows.length === 0 ? emptyState('No changes yet', 'The first one will stand here.') : auditTable(visit, rows)
  }${pagination({ visit, path, query: { organizationId }, cursor, nextCursor })}`,
)}`,
    });
  },
});

function auditTable({ href, format }: Visit, rows: readonly AuditEntryRecord[]): Markup {
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
      { label: 'Subject', cell: subject },
      { label: 'Detail', cell: detail },
      { label: 'By', cell: ({ actor }) => html`<span>${actor.kind} <code>${actor.id}</code></span>` },
    ],
    rows,
  );
}
