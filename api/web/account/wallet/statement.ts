import { html } from 'hono/html';
import { z } from 'zod';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { emptyState, facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { download, view } from '#api/web/framework/answer.ts';
import { readMonth } from '#common/calendar.ts';
import { plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { type Mode, modes } from '#common/modes.ts';
import type { OrganizationRecord } from '#common/organizations/organization.model.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import { TransactionKind } from '#common/wallet/ledger/transaction.view.ts';
import { readStatement, type VatSummary } from '#common/wallet/statements/statement.ts';
import { writeStatementCsv, writeStatementJson } from '#common/wallet/statements/statement.view.ts';
import { readStatementSummary, type StatementSummary } from '#common/wallet/statements/statement-summary.ts';
import { downloadLinks } from './statements.ts';
import { definePage, type Visit } from './texts.ts';
import { transactionTable } from './transaction-list.ts';

/** Maximum number of lines on the page. The downloads contain all of them. */
const maxLines = 300;

/** The statement of a month as a printable page, or as a file with `format`. */
export const statementPage = definePage({
  path: '/account/wallet/statements/:mode/:month',
  params: z.object({ mode: z.enum(modes), month: z.string().max(7) }),
  query: z.object({ format: z.enum(['csv', 'json']).optional() }),

  async show({ visit, params: { mode, month }, query: { format }, now }) {
    const { organizationId } = visit.user;
    const period = readMonth(month);
    if (period === null || period.startsAt > now) throw new AppError('NOT_FOUND');
    const owner = { organizationId, mode };
    const parts = readStatement(owner, month, now);
    const filename = `statement-${month}-${mode}.${format}`;
    if (format === 'csv') return download({ contentType: 'text/csv', filename, body: writeStatementCsv(parts) });
    if (format === 'json') {
      return download({ contentType: 'application/json', filename, body: writeStatementJson(parts) });
    }
    const [organization, summary] = await Promise.all([
      readOrganization(organizationId),
      readStatementSummary(owner, month, now, { maxLines }),
    ]);
    const name = visit.format.month(period.startsAt);
    const title = visit.texts.statements.statementOf(name);
    return view({
      title,
      body: html`${pageHead({ title, actions: downloadLinks(visit, { mode, month, name }) })}
${summary.isFinal ? nothing : notice('info', visit.texts.statements.runningLead)}
<div class="sheet">${aboutOf(visit, { organization, mode, summary })}</div>
${statementBody(visit, summary)}`,
    });
  },
});

function aboutOf(
  { texts, format }: Visit,
  { organization, mode, summary }: { organization: OrganizationRecord; mode: Mode; summary: StatementSummary },
): Markup {
  const words = texts.statements;
  const { line1, line2, zip, city, country } = organization.address;
  const lastDay = plusMs(new Date(summary.endsAt), -1);
  return facts([
    [words.organization, html`${organization.name} <code class="quiet">${organization._id}</code>`],
    [words.address, [line1, line2, `${zip} ${city}`, country].filter((line) => line !== null).join(', ')],
    [texts.wallet.wallet, texts.wallet.names[mode]],
    [words.period, words.periodOf(format.date(new Date(summary.startsAt)), format.date(lastDay))],
    [texts.words.labels.status, summary.isFinal ? words.final : words.running],
  ]);
}

function statementBody(visit: Visit, summary: StatementSummary): Markup {
  const { texts, format } = visit;
  const words = texts.statements;
  const { lines, lineCount, vat } = summary;
  const capped = words.capped(format.number(lines.length), format.number(lineCount));
  return html`${section(words.summary, sumTable(visit, summary))}
${section(words.vat, vat.length === 0 ? emptyState(words.noVat, words.noVatHint) : html`<p class="quiet">${words.vatLead}</p>${vatTable(visit, vat)}`)}
${section(
  words.lines,
  lines.length === 0
    ? emptyState(words.noLines, words.noLinesHint)
    : html`${lineCount > lines.length ? notice('info', capped) : nothing}${transactionTable(visit, { caption: words.lines, lines })}`,
)}
<p class="quiet no-print">${words.print}</p>`;
}

/** Renders the calculation from the opening to the closing balance, by kind of transaction. */
function sumTable({ texts, format }: Visit, summary: StatementSummary): Markup {
  const words = texts.statements;
  const pairs: (readonly [string, number, boolean])[] = [
    [words.opening, summary.openingBalanceCents, true],
    ...TransactionKind.options
      .map((kind) => [words.sums[kind], summary.sumsCents[kind], false] as const)
      .filter(([, cents]) => cents !== 0),
    [words.closing, summary.closingBalanceCents, true],
  ];
  return html`<dl class="sums">${pairs.map(([label, cents, isBalance]) => html`<div${isBalance ? html` class="balance"` : nothing}><dt>${label}</dt><dd class="number">${format.money(cents)}</dd></div>`)}</dl>`;
}

function vatTable({ texts, format }: Visit, vat: readonly VatSummary[]): Markup {
  const words = texts.statements;
  return table<VatSummary>(
    words.vat,
    [
      { label: words.rate, cell: ({ percent }) => format.percent(percent) },
      { label: words.net, isNumber: true, cell: ({ netCents }) => format.money(netCents) },
      { label: words.vatAmount, isNumber: true, cell: ({ vatCents }) => format.money(vatCents) },
      { label: words.gross, isNumber: true, cell: ({ grossCents }) => format.money(grossCents) },
    ],
    vat,
  );
}
