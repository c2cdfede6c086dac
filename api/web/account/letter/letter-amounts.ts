import { html } from 'hono/html';
import type { Markup } from '#api/web/design/markup.ts';
import { facts } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Visit } from './texts.ts';

/** Renders the cost of a letter: its lines, the VAT by rate, the total and the refund. */
export function letterAmounts({ texts, format }: Visit, { amounts, refundedCents }: MailJobRecord): Markup {
  const words = texts.letter;
  return html`${table(
    words.amounts,
    [
      { label: words.line, cell: ({ code, description }) => words.lines[code] ?? description },
      { label: words.quantity, isNumber: true, cell: ({ quantity }) => format.number(quantity) },
      { label: words.unit, isNumber: true, cell: ({ unitCents }) => format.money(unitCents) },
      { label: words.vatRate, isNumber: true, cell: ({ vatPercent }) => format.percent(vatPercent) },
      { label: words.net, isNumber: true, cell: ({ netCents }) => format.money(netCents) },
    ],
    amounts.lines,
  )}${facts([
    [words.net, format.money(amounts.netCents)],
    ...amounts.vat.map(
      ({ percent, vatCents }) => [words.vatOf(format.percent(percent)), format.money(vatCents)] as const,
    ),
    [words.total, html`<strong>${format.money(amounts.totalCents)}</strong>`],
    ...(refundedCents > 0 ? [[words.refunded, format.money(refundedCents)] as const] : []),
  ])}`;
}
