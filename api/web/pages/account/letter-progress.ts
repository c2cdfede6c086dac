import { html } from 'hono/html';
import type { MailStatus } from '../../../../common/mail-jobs/lifecycle.ts';
import type { MailJobRecord } from '../../../../common/mail-jobs/mail-job.model.ts';
import { type Markup, nothing } from '../../markup.ts';
import { notice } from '../../views/notice.ts';
import type { Visit } from '../../visit.ts';

/** The way of a letter that does not fail. Only registered ones are reported as delivered by themselves. */
const way: readonly MailStatus[] = ['queued', 'printed', 'posted', 'delivered'];

/** What a letter has been through, with the times, and what is still to come. */
export function letterTimeline(visit: Visit, letter: MailJobRecord): Markup {
  const reached = way.filter((status) => letter[`${status}At`] !== null);
  const last = way.indexOf(reached.at(-1) ?? 'queued');
  const isOpen = (status: MailStatus) => status !== 'delivered' || letter.serviceType === 'registered';
  const shown = way.filter((status, index) => {
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

/** Why a letter has failed, that its price is back, and what to do now; nothing for any other letter. */
export function letterFailure(visit: Visit, { failure, refundedCents }: MailJobRecord): Markup {
  if (failure === null) return nothing;
  const { texts, format, language } = visit;
  const { what, next } = texts.letter.failures[failure.code as keyof typeof texts.letter.failures];
  // Written for programs and in English; it has the numbers, and the file that is meant.
  const detail = html`<p class="quiet">${texts.letter.detail}: <span${language === 'en' ? nothing : html` lang="en"`}>${failure.message}</span></p>`;
  return notice(
    'danger',
    html`<p class="notice-title">${texts.letter.failedTitle}</p>
<p>${what} ${refundedCents > 0 ? texts.letter.refundedHint(format.money(refundedCents)) : nothing}</p>
<p>${next}</p>
${detail}`,
  );
}
