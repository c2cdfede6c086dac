import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { type BadgeKind, badge } from '#api/web/design/badge.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import { pluralOf } from '#api/web/texts/format.ts';
import type { BulkRecord, BulkState } from '#common/bulk/model/bulk.model.ts';
import { hasCode } from '#common/errors.ts';
import type { Visit } from './texts.ts';

/** The path of the list, and the start of the paths of its bulks. */
export const bulkPath = '/account/bulk';
export const bulkParams = z.object({ bulkId: idOf('blk') });

/** Seconds between two looks at a bulk that changes by itself. */
const refreshS = 3;
/** Reloads the page without JavaScript. */
export const refreshing = { Refresh: String(refreshS) };

const stateKinds: Record<BulkState, BadgeKind> = {
  validating: 'info',
  needs_mapping: 'warning',
  needs_attention: 'warning',
  ready: 'info',
  sending: 'info',
  paused: 'warning',
  sent: 'success',
  cancelled: 'neutral',
  failed: 'danger',
};

export function stateBadge({ texts }: Visit, { state }: Pick<BulkRecord, 'state'>): Markup {
  return badge(stateKinds[state], texts.bulk.states[state]);
}

/** Returns for example `1,204 letters`. */
export function letterCount(visit: Visit, count: number): string {
  return pluralOf(visit.language)(count, visit.texts.bulk.letterCount);
}

/** Refuses a form in the language of the page when its bulk has changed since the page was opened. */
export async function orRefusal<Result>(work: Promise<Result>): Promise<Result> {
  return await work.catch((error: unknown) => {
    if (hasCode(error, 'CONFLICT')) throw new FormRefusal({ '': 'bulkChanged' }, { status: 409 });
    if (hasCode(error, 'PRICE_CHANGED')) throw new FormRefusal({ '': 'bulkPrice' }, { status: 409 });
    throw error;
  });
}

/** Renders a link to a bulk, labelled with the name of its file. */
export function bulkLink(visit: Visit, { _id, file }: Pick<BulkRecord, '_id' | 'file'>): Markup {
  return html`<a class="row-link breakable" href="${visit.href(`${bulkPath}/${_id}`)}">${file.filename}</a>`;
}
