import { html } from 'hono/html';
import type { Markup } from '../markup.ts';

type Column<Row> = {
  label: string;
  /** Numbers stand at the right, so that their digits stand below each other. */
  isNumber?: boolean;
  /** The cells say by themselves what they are, such as a button: the label is for assistive technology. */
  isLabelHidden?: boolean;
  cell(row: Row): Markup | string;
};

/**
 * Rows under named columns. On a narrow screen each row becomes a card, each cell with its column's name in front; the
 * roles are written out because browsers forget those of a table that is drawn otherwise.
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
