import { html } from 'hono/html';
import { z } from 'zod';
import { isId } from '../../../../common/ids.ts';
import { type MailStatus, mailStatuses, transitions } from '../../../../common/mail-jobs/lifecycle.ts';
import { type LiveLetter, readLiveLetter } from '../../../../common/mail-jobs/live-letters.ts';
import { setLiveStatus } from '../../../../common/mail-jobs/set-live-status.ts';
import { redirect, view } from '../../answer.ts';
import { choice, optionalLine } from '../../form-fields.ts';
import type { Markup } from '../../markup.ts';
import { defineAction, definePage } from '../../page.ts';
import type { SentForm } from '../../read-form.ts';
import { statusBadge } from '../../views/badge.ts';
import { postForm } from '../../views/form.ts';
import { facts, pageHead, section } from '../../views/page-parts.ts';
import { actorOf, type Visit } from '../../visit.ts';

const params = z.object({ mailJobId: z.string().refine((text) => isId('mj', text)) });
const path = '/admin/letters/:mailJobId';

/** One live letter, and what has become of it, by the operator's word. */
export const liveLetterPage = definePage({
  path,
  access: 'admin',
  params,

  async show({ visit, params: { mailJobId }, sent }) {
    const letter = await readLiveLetter(mailJobId);
    const open = transitions.filter(({ from }) => from === letter.status).map(({ to }) => to);
    return view({
      title: 'Live letter',
      body: html`${pageHead({ title: 'Live letter' })}
${section('Letter', letterFacts(visit, letter))}
${section('What has happened', open.length === 0 ? html`<p>Nothing can happen to it any more.</p>` : statusForm(visit, { sent, mailJobId, open }))}`,
    });
  },
});

export const setLiveStatusAction = defineAction({
  path,
  access: 'admin',
  params,
  form: z.object({ status: choice(mailStatuses), reason: optionalLine(255) }),
  page: liveLetterPage,

  async run({ visit, params: { mailJobId }, form, now }, { hints }) {
    const change = { mailJobId, target: form.status, reason: form.reason ?? undefined, by: actorOf(visit) };
    await setLiveStatus(change, hints, now);
    return redirect(visit.href(`/admin/letters/${mailJobId}`, { notice: 'changeSaved' }));
  },
});

function letterFacts({ href, texts, format }: Visit, letter: LiveLetter): Markup {
  const { _id, organizationId, status, serviceType, zone, pages, color, amounts, dropAt, failure, printFile } = letter;
  const organization = html`<a href="${href(`/admin/organizations/${organizationId}`)}"><code>${organizationId}</code></a>`;
  const service = `${texts.words.serviceTypes[serviceType]}, ${texts.words.zones[zone]}`;
  const extras = [color ? 'colour' : 'black and white', ...(letter.acknowledgmentReceipt ? ['with receipt'] : [])];
  return facts([
    ['Id', html`<code>${_id}</code>`],
    ['Organization', organization],
    ['Status', statusBadge(texts, status)],
    ...(failure ? ([['Failure', `${failure.code}: ${failure.message}`]] as const) : []),
    ['Service', service],
    ['Pages', `${format.number(pages)}, ${format.list(extras)}`],
    [
      'Print file',
      printFile
        ? `${format.number(printFile.pageCount)} pages, made ${format.moment(printFile.renderedAt)}`
        : 'Not made yet',
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
    ) => html`${fields.select({ name: 'status', label: 'New status', hint: 'Forward only. Failed gives the money back.', options })}
${fields.text({ name: 'reason', label: 'Reason', hint: 'Only with failed: the customer reads it.', isOptional: true, maxLength: 255 })}
${fields.submit({ value: 'set-status', label: 'Set the status' })}`,
  );
}
