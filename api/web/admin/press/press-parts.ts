import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { type BadgeKind, badge, statusBadge } from '#api/web/design/badge.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { table } from '#api/web/design/table.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import type { BatchRecord, BatchState } from '#common/production/batches/batch.model.ts';
import type { ListedItem } from '#common/production/operator/find-items.ts';

export const pressPath = '/admin/press';
export const scanPath = `${pressPath}/scan` as const;
export const receiptsPath = `${pressPath}/receipts` as const;
export const batchPath = (batchId: string): string => `${pressPath}/${batchId}`;
export const itemPath = (itemId: string): string => `${pressPath}/items/${itemId}`;

export const batchParams = z.object({ batchId: idOf('bat') });
export const itemParams = z.object({ itemId: idOf('mi') });

const states: Record<BatchState, { label: string; kind: BadgeKind }> = {
  open: { label: 'Open', kind: 'neutral' },
  closed: { label: 'Closed', kind: 'info' },
  submitting: { label: 'Being handed over', kind: 'info' },
  at_press: { label: 'At press', kind: 'info' },
  needs_operator: { label: 'Needs you', kind: 'danger' },
  printed: { label: 'Printed', kind: 'info' },
  posted: { label: 'Posted', kind: 'success' },
};

/** Renders the state of a batch, and whether it has missed its cutoff. */
export function batchBadges({ state, problem, cutoffAt }: BatchRecord, now: Date): Markup {
  const { label, kind } = states[state];
  const hasProblem = state !== 'needs_operator' && problem !== null;
  const isLate = state !== 'posted' && cutoffAt < now;
  return html`<span class="badges">${badge(kind, label)}${hasProblem ? badge('danger', 'Problem') : html``}${isLate ? badge('danger', 'Late') : html``}</span>`;
}

/** Describes what the items of a batch have in common. */
export function describeBatch({ texts }: Visit, batch: BatchRecord): string {
  const { serviceType, zone, format, color, doubleSided, acknowledgmentReceipt, part } = batch;
  const service = `${texts.words.serviceTypes[serviceType]}, ${texts.words.zones[zone]}`;
  const receipt = acknowledgmentReceipt ? ', with receipt form' : '';
  return `${service}, ${format}, ${color ? 'colour' : 'black and white'}${doubleSided === false ? ', one side' : ''}${receipt}${part > 1 ? `, part ${part}` : ''}`;
}

/** Renders items. Privacy: no names, and of the address only the postcode and the country. */
export function itemTable({ href, texts }: Visit, items: readonly ListedItem[], { hasBatch = false } = {}): Markup {
  const link = (path: string, id: string) => html`<a class="row-link" href="${href(path)}"><code>${id}</code></a>`;
  return table<ListedItem>(
    'Items',
    [
      { label: 'Item', cell: ({ itemId }) => link(itemPath(itemId), itemId) },
      hasBatch
        ? { label: 'Batch', cell: ({ batchId }) => link(batchPath(batchId), batchId) }
        : { label: 'Letter', cell: ({ mailJobId }) => link(`/admin/letters/${mailJobId}`, mailJobId) },
      { label: 'Postcode', cell: ({ zip, country }) => html`${country} ${zip}` },
      { label: 'Status', cell: ({ status }) => statusBadge(texts, status) },
    ],
    items,
  );
}
