import { html } from 'hono/html';
import { buttonForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { facts, section } from '#api/web/design/page-parts.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { type BulkRecord, hasNoRows } from '#common/bulk/model/bulk.model.ts';
import { bulkPath } from './bulk-parts.ts';
import type { Visit } from './texts.ts';

/** Renders how far a confirmed bulk is, and what can be done with it. */
export function bulkProgress(
  visit: Visit,
  { bulk, sent, isCancellable }: { bulk: BulkRecord; sent: SentForm; isCancellable: boolean },
): Markup {
  const { texts, format } = visit;
  const words = texts.bulk;
  const { progress, counts, state, pause } = bulk;
  const done = progress.sent + progress.refused;
  const numbers: [string, number][] = [
    [words.refused, progress.refused],
    [words.cancelledLetters, progress.cancelled],
    [words.notCancelled, progress.notCancelled],
  ];
  return section(
    words.progress,
    html`${state === 'paused' && pause ? notice('warning', words.pauses[pause.code]) : nothing}
<p id="progress">${words.progressOf(format.number(progress.sent), format.number(counts.valid))}</p>
<progress max="${counts.valid}" value="${Math.min(done, counts.valid)}" aria-labelledby="progress"></progress>
${facts([
  [words.spent, format.money(progress.sentCents)],
  ...numbers.filter(([, count]) => count > 0).map(([label, count]) => [label, format.number(count)] as const),
])}
<div class="actions">${actions(visit, bulk, sent)}${isCancellable ? html`<a class="button plain" href="${visit.href(`${bulkPath}/${bulk._id}/cancel`)}">${words.cancel}</a>` : nothing}</div>`,
  );
}

function actions(visit: Visit, bulk: BulkRecord, sent: SentForm): Markup {
  const { _id, state, pause } = bulk;
  const { bulk: words } = visit.texts;
  const own = `${bulkPath}/${_id}`;
  const button = (name: 'pause' | 'resume', label: string, hidden: Record<string, string> = {}) =>
    buttonForm(
      { visit, sent, action: `${own}/${name}`, hidden },
      { value: name, label, kind: name === 'resume' ? 'primary' : 'plain' },
    );
  const resume =
    pause?.code === 'PRICE_CHANGED'
      ? button('resume', words.acceptPrice, { acceptNewPrice: 'yes' })
      : button('resume', words.resume);
  const link = (path: string, label: string) => html`<a class="button plain" href="${visit.href(path)}">${label}</a>`;
  return html`${state === 'sending' ? button('pause', words.pause) : nothing}
${state === 'paused' ? resume : nothing}
${hasNoRows(bulk) ? html`<p class="quiet">${words.rowsRemoved}</p>` : html`${link(`${own}/letters`, words.seeLetters)}${link(`${own}/proofs/1`, visit.texts.bulkRows.proofs)}${link(`${own}/results`, words.downloadResults)}`}`;
}
