import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { defineAction, definePage } from '#api/web/admin/admin-pages.ts';
import { statusBadge } from '#api/web/design/badge.ts';
import { postForm } from '#api/web/design/form.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { choice, optionalLine } from '#api/web/framework/forms/form-fields.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { actorOf, type Visit } from '#api/web/visit/visit.ts';
import { type LiveMailJob, readLiveMailJob } from '#common/mail-jobs/lifecycle/live-mail-jobs.ts';
import { type MailStatus, mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import { transitions } from '#common/mail-jobs/rules/lifecycle.ts';
import { setLetterStatus } from '#common/production/operator/set-letter-status.ts';

const params = z.object({ mailJobId: idOf('mj') });
const path = '/admin/letters/:mailJobId';

/** One live letter, and the form with which an operator sets its status. */
export const liveLetterPage = definePage({
  path,
  params,

  async show({ visit, params: { mailJobId }, sent }) {
    const letter = await readLiveMailJob(mailJobId);
    const open = transitions.filter(({ from }) => from === letter.status).map(({ to }) => to);
    return view({
      title: 'Live letter',
      body: html`${pageHead({ title: 'Live letter' })}
${section('Letter', letterFacts(visit, letter))}
${section('Change status', open.length === 0 ? html`<p>This letter has reached its final status.</p>` : statusForm(visit, { sent, mailJobId, open }))}`,
    });
  },
});

export const setLiveStatusAction = defineAction({
  path,
  params,
  form: z.object({ status: choice(mailStatuses), reason: optionalLine(255) }),
  page: liveLetterPage,

  async run({ visit, params: { mailJobId }, form, now }, { hints }) {
    const change = { mailJobId, target: form.status, reason: form.reason ?? undefined, by: actorOf(visit) };
    await setLetterStatus(change, { hints, at: now });
    return redirect(visit.href(`/admin/letters/${mailJobId}`, { notice: 'changeSaved' }));
  },
});

function letterFacts({ href, texts, format }: Visit, letter: LiveMailJob): Markup {
  const { _id, organizationId, status, serviceType, zone, pages, color, amounts, dropAt, failure, printFile } = letter;
  const organization = html`<a href="${href(`/admin/organizations/${organizationId}`)}"><code>${organizationId}</code></a>`;
  const service = `${texts.words.serviceTypes[serviceType]}, ${texts.words.zones[zone]}`;
  const extras = [
    color ? 'colour' : 'black and white',
    ...(letter.doubleSided === false ? ['one side'] : []),
    ...(letter.acknowledgmentReceipt ? ['with acknowledgement of receipt'] : []),
  ];
  return facts([
    ['ID', html`<code>${_id}</code>`],
    ['Organization', organization],
    ['Status', statusBadge(texts, status)],
    ...(failure ? ([['Failure', `${failure.code}: ${failure.message}`]] as const) : []),
    ['Service', service],
    ['Pages', `${format.number(pages)}, ${format.list(extras)}`],
    [
      'Print file',
      printFile
        ? `${format.number(printFile.pageCount)} pages, created ${format.moment(printFile.renderedAt)}`
        : 'Not created yet',
    ],
    ['Recipients', format.number(amounts.recipientCount)],
    ['Price', format.money(amounts.totalCents)],
    ['Drop', format.moment(dropAt)],
    ['Created', format.moment(letter.createdAt)],
    ['Last change', format.moment(letter.updatedAt)],
  ]);
}

type StatusForm = { sent: SentForm; mailJobId: string; open: readonly MailStatus[] };

function statusForm(visit: Visit, { sent, mailJobId, open }: StatusForm): Markup {
  const options = open.map((status) => ({ value: status, label: visit.texts.words.statuses[status] }));
  return postForm(
    { visit, sent, action: `/admin/letters/${mailJobId}` },
    (
      fields,
    ) => html`${fields.select({ name: 'status', label: 'New status', hint: 'You can only move forward. Failed refunds the letter.', options })}
${fields.text({ name: 'reason', label: 'Reason', hint: 'Only for Failed. The customer sees it.', isOptional: true, maxLength: 255 })}
${fields.submit({ value: 'set-status', label: 'Set status' })}`,
  );
}
