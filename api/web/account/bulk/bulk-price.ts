import { html } from 'hono/html';
import { postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import type { BulkPrice, BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { letterFacts } from '#common/documents/preflight/letter-facts.ts';
import { sheetGrams } from '#common/pricing/tariff.schema.ts';
import { bulkPath, letterCount } from './bulk-parts.ts';
import { countryTable } from './rows/row-samples.ts';
import type { Visit } from './texts.ts';

/** Rows of the table of prices. A ZIP may have letters of many lengths. */
const maxKinds = 20;

type Priced = { bulk: BulkRecord; sent: SentForm; balanceCents: number };

/** Renders the price of the whole, and the form that sends it. */
export function bulkPrice(visit: Visit, { bulk, sent, balanceCents }: Priced): Markup {
  const { texts, format } = visit;
  const words = texts.bulk;
  const totalCents = bulk.totalCents ?? 0;
  const sums = [
    [words.total, totalCents],
    [words.balance, balanceCents],
    [words.balanceAfter, balanceCents - totalCents],
  ] as const;
  const label = bulk.state === 'ready' ? words.send : words.sendSome;
  return section(
    words.priceTitle,
    html`${priceTable(visit, bulk)}${countryTable(visit, bulk)}
<dl class="sums">${sums.map(([name, cents], index) => html`<div${index === 0 ? html` class="balance"` : nothing}><dt>${name}</dt><dd class="number">${format.money(cents)}</dd></div>`)}</dl>
${balanceCents < totalCents ? notice('warning', words.tooLow) : nothing}
${postForm(
  { visit, sent, action: `${bulkPath}/${bulk._id}/confirm`, once: true },
  (
    fields,
  ) => html`${fields.hidden('maxTotalCents', String(totalCents))}${fields.hidden('revision', String(bulk.revision ?? 0))}
<p class="actions">${fields.submit({ value: 'send', label: label(letterCount(visit, bulk.counts.valid), format.money(totalCents)), kind: bulk.state === 'ready' ? 'primary' : 'plain' })}</p>`,
)}`,
  );
}

function priceTable({ texts, format }: Visit, { prices, doubleSided }: BulkRecord): Markup {
  const words = texts.bulk;
  const factsOf = ({ pages }: BulkPrice) => letterFacts(pages, { doubleSided, gramsPerSheet: sheetGrams });
  const { sheets, weight, grams } = texts.bulkRows;
  return table<BulkPrice>(
    words.priceTitle,
    [
      { label: words.zone, cell: ({ zone }) => texts.words.zones[zone] },
      { label: words.pages, isNumber: true, cell: ({ pages }) => format.number(pages) },
      { label: sheets, isNumber: true, cell: (price) => format.number(factsOf(price).sheets) },
      { label: weight, isNumber: true, cell: (price) => grams(format.number(factsOf(price).weightGrams)) },
      { label: words.letters, isNumber: true, cell: ({ letters }) => format.number(letters) },
      { label: words.unit, isNumber: true, cell: ({ unitCents }) => format.money(unitCents) },
      { label: words.sum, isNumber: true, cell: ({ unitCents, letters }) => format.money(unitCents * letters) },
    ],
    prices.slice(0, maxKinds),
  );
}
