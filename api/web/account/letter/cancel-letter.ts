import { html } from 'hono/html';
import { z } from 'zod';
import { confirmForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { callerOf } from '#api/web/visit/visit.ts';
import { cancelMailJob } from '#common/mail-jobs/lifecycle/cancel-mail-job.ts';
import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { readMailJobInAnyMode } from '#common/mail-jobs/read/read-mail-jobs.ts';
import { cancellableUntil, isChangeable } from '#common/mail-jobs/rules/actions.ts';
import { letterParams } from './letter-pages.ts';
import { defineAction, definePage, type Visit } from './texts.ts';

const path = '/account/letters/:mailJobId/cancel';

/** Renders the link to cancel a letter, with the time until which it works. Empty when it no longer does. */
export function cancelLink(visit: Visit, letter: MailJobRecord, now: Date): Markup {
  const until = cancellableUntil(letter, now);
  if (until === null) return nothing;
  const words = visit.texts.letter;
  // A sandbox letter is printed within seconds: a time would say nothing.
  const hint =
    letter.mode === 'live'
      ? html`<span class="quiet">${words.cancelUntil(visit.format.moment(until))}</span>`
      : nothing;
  return html`<p class="actions"><a class="button plain" href="${visit.href(`/account/letters/${letter._id}/cancel`)}">${words.cancel}</a>${hint}</p>`;
}

/** Asks for confirmation, because a cancelled letter cannot be sent again unchanged. */
export const cancelLetterPage = definePage({
  path,
  params: letterParams,

  async show({ visit, params: { mailJobId }, sent, now }) {
    const letter = await readMailJobInAnyMode(visit.user.organizationId, mailJobId);
    const own = `/account/letters/${mailJobId}`;
    const texts = visit.texts.letter;
    if (!isChangeable(letter, now)) return sent.path === null ? redirect(visit.href(own)) : tooLate(visit, letter);
    const form = confirmForm({
      ...{ visit, sent, action: `${own}/cancel` },
      submit: { value: 'cancel', label: texts.cancel },
      keep: { label: texts.keep, path: own },
    });
    return view({
      title: texts.cancelTitle,
      body: html`${pageHead({ title: texts.cancelTitle, lead: texts.cancelHint(visit.format.money(letter.amounts.totalCents - letter.refundedCents)) })}
${section(
  texts.about,
  html`${facts([
    [texts.id, html`<code>${letter._id}</code>`],
    [texts.recipients, visit.format.number(letter.items.length)],
  ])}${form}`,
)}`,
    });
  },
});

/** Says that the letter was not cancelled: its page alone would show it as before. */
function tooLate({ texts, href }: Visit, { _id, externalId }: MailJobRecord) {
  const title = texts.letter.title(externalId ?? _id);
  return view({
    title,
    body: html`${pageHead({ title })}
${notice('danger', html`<p role="alert">${texts.form.errors.NOT_CANCELLABLE}</p>`)}
<p class="actions"><a class="button primary" href="${href(`/account/letters/${_id}`)}">${texts.letter.toLetter}</a></p>`,
  });
}

export const cancelLetterAction = defineAction({
  path,
  params: letterParams,
  form: z.object({}),
  page: cancelLetterPage,

  async run({ visit, params: { mailJobId }, now }, services) {
    const letter = await readMailJobInAnyMode(visit.user.organizationId, mailJobId);
    await cancelMailJob(callerOf(visit, letter), { mailJobId, reason: undefined }, services, now);
    return redirect(visit.href(`/account/letters/${mailJobId}`, { notice: 'letterCancelled' }));
  },
});
