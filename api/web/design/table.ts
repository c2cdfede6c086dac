import { html } from 'hono/html';
import type { Markup } from './markup.ts';

type Column<Row> = {
  label: string;
  /** Right-aligned, to line up digits. */
  isNumber?: boolean;
  /** For self-explanatory cells such as buttons. The label is then only for assistive technology. */
  isLabelHidden?: boolean;
  cell(row: Row): Markup | string;
};

/**
 * Renders a table. On narrow screens each row becomes a card, and each cell shows the name of its column. The explicit
 * roles are needed because browsers drop table semantics when CSS changes `display`.
 */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Markup {
  const numeric = (isNumber: boolean | undefined) => (isNumber ? html` class="number"` : html``);
  return html`<table role="table">
<caption class="visually-hidden">${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(({ label, isNumber, isLabelHidden }) => html`<th role="columnheader" scope="col"${numeric(isNumber)}>${isLabelHidden ? html`<span class="visually-hidden">${label}</span>` : label}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row) =>
      html`<tr role="row">${columns.map(({ label, isNumber, isLabelHidden, cell }) => html`<td role="cell" data-label="${isLabelHidden ? '' : label}"${numeric(isNumber)}>${cell(row)}</td>`)}</tr>`,
  )}</tbody>
</table>`;
}
