import { html } from 'hono/html';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { table } from '#api/web/design/table.ts';
import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import type { ReturnReason } from '#common/mail-jobs/model/returned.ts';
import type { TimelineEntry } from '#common/mail-jobs/read/timeline.ts';
import type { Visit } from './texts.ts';

/** The statuses of a successful letter. Only registered letters reach `delivered` automatically. */
const lifecycle: readonly MailStatus[] = ['queued', 'printed', 'posted', 'delivered'];

/** Renders the timeline of a letter: the steps so far with their times, and the steps to come. */
export function letterTimeline(visit: Visit, letter: MailJobRecord): Markup {
  const reached = lifecycle.filter((status) => letter[`${status}At`] !== null);
  const last = lifecycle.indexOf(reached.at(-1) ?? 'queued');
  const isOpen = (status: MailStatus) => status !== 'delivered' || letter.serviceType === 'registered';
  const shown = lifecycle.filter((status, index) => {
    if (index <= last) return true;
    return letter.failedAt === null && isOpen(status);
  });
  return html`<ol class="timeline">${shown.map((status, index) => step(visit, letter, { status, isPassed: index <= last }))}${
    letter.failedAt === null ? nothing : oneStep(visit, 'failed', 'failed', visit.format.moment(letter.failedAt))
  }</ol>`;
}

function step(visit: Visit, letter: MailJobRecord, { status, isPassed }: { status: MailStatus; isPassed: boolean }) {
  const { texts, format } = visit;
  const at = letter[`${status}At`];
  if (at !== null) return oneStep(visit, status, 'done', format.moment(at));
  if (isPassed) return oneStep(visit, status, 'done', texts.letter.skipped);
  const isDrop = status === 'posted';
  return oneStep(visit, status, '', isDrop ? texts.letter.planned(format.moment(letter.dropAt)) : texts.letter.notYet);
}

function oneStep({ texts }: Visit, status: MailStatus, kind: string, when: string): Markup {
  return html`<li class="${kind}"><strong>${texts.words.statuses[status]}</strong><span class="quiet">${when}</span></li>`;
}

/** Renders every step of the letter and of its copies, folded. Empty while there is only its acceptance. */
export function allSteps(visit: Visit, { items }: MailJobRecord, entries: readonly TimelineEntry[]): Markup {
  if (entries.length < 2) return nothing;
  const { texts, format } = visit;
  const words = texts.letter;
  const names = new Map(items.map(({ itemId, name }) => [itemId, name]));
  const rows = table<TimelineEntry>(
    words.allSteps,
    [
      { label: words.at, cell: ({ at }) => format.moment(new Date(at)) },
      { label: words.step, cell: (entry) => stepText(visit, entry) },
      { label: words.copy, cell: ({ itemId }) => (itemId === null ? words.wholeLetter : (names.get(itemId) ?? '')) },
    ],
    entries,
  );
  return html`<details><summary>${words.allSteps}</summary>${rows}</details>`;
}

function stepText({ texts, format }: Visit, { kind, detail }: TimelineEntry): Markup | string {
  const { dropAt, amountCents, number, event, message, reason, reasonCode, reasonText } = detail;
  const step = texts.letter.steps[kind];
  if (kind === 'returned') return `${step}: ${texts.words.returnReasons[reason as ReturnReason]}`;
  if (typeof amountCents === 'number') return `${step}: ${format.money(amountCents)}`;
  if (typeof dropAt === 'string') return `${step}: ${format.moment(new Date(dropAt))}`;
  // The texts of a failure and a reprint were written for the sender by whom the step was reported.
  const report = [event, reasonCode, reasonText].filter((word) => typeof word === 'string').join(', ');
  const said = { tracked: number, scanned: report, delivered: report, failed: message, reprinted: reason }[
    kind as string
  ];
  return typeof said === 'string' && said !== '' ? `${step}: ${said}` : step;
}

/** Renders why a letter failed, its refund and what to do next. Empty for letters that have not failed. */
export function letterFailure(visit: Visit, { failure, refundedCents }: MailJobRecord): Markup {
  if (failure === null) return nothing;
  const { texts, format, language } = visit;
  const { what, next } = texts.letter.failures[failure.code as keyof typeof texts.letter.failures];
  // The message of the API is English only. It names the file and the numbers.
  const detail = html`<p class="quiet">${texts.letter.detail}: <span${language === 'en' ? nothing : html` lang="en"`}>${failure.message}</span></p>`;
  return notice(
    'danger',
    html`<p class="notice-title">${texts.letter.failedTitle}</p>
<p>${what} ${refundedCents > 0 ? texts.letter.refundedHint(format.money(refundedCents)) : nothing}</p>
<p>${next}</p>
${detail}`,
  );
}
