import { html } from 'hono/html';
import { modeBadge, statusBadge } from '#api/web/design/badge.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { creatorFacts, facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { postalAddress } from '#api/web/design/postal-address.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import type { MailItem, MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { readMailJobInAnyMode } from '#common/mail-jobs/read/read-mail-jobs.ts';
import { readTimeline } from '#common/mail-jobs/read/timeline.ts';
import { readEventsOfMailJob } from '#common/webhooks/console/read-events.ts';
import { listRowOf, nameLetter } from '../letters/letter-name.ts';
import { cancelLink } from './cancel-letter.ts';
import { letterAmounts } from './letter-amounts.ts';
import { letterEvents } from './letter-events.ts';
import { letterFindings } from './letter-findings.ts';
import { letterPages, letterParams } from './letter-pages.ts';
import { allSteps, letterFailure, letterTimeline } from './letter-timeline.ts';
import { definePage, type Visit } from './texts.ts';

/** Maximum number of recipients listed. */
const maxRecipients = 100;

/** The page of one letter of either mode. */
export const letterPage = definePage({
  path: '/account/letters/:mailJobId',
  params: letterParams,

  async show({ visit, params: { mailJobId }, now }) {
    const { organizationId } = visit.user;
    const letter = await readMailJobInAnyMode(organizationId, mailJobId);
    const events = await readEventsOfMailJob({ organizationId, mode: letter.mode }, mailJobId);
    const steps = allSteps(visit, letter, await readTimeline(letter));
    const texts = visit.texts.letter;
    const title = texts.title(nameLetter(letter).name);
    return view({
      title,
      body: html`${pageHead({ title, actions: html`<a class="button plain" href="${visit.href('/account/letters', { mode: letter.mode })}">${texts.back}</a>` })}
${letterFailure(visit, letter)}
<div class="pair">${section(texts.timeline, html`${letterTimeline(visit, letter)}${steps}${cancelLink(visit, letter, now)}`)}${section(texts.about, about(visit, letter))}</div>
${onPaper(visit, letter)}
${section(texts.recipients, recipients(visit, letter))}
<div class="pair">${section(texts.sender, postalAddress(visit, letter.sender))}${section(texts.files, files(visit, letter))}</div>
${section(texts.amounts, letterAmounts(visit, letter))}
${section(texts.events, letterEvents(visit, letter, events))}`,
    });
  },
});

/** The pages as they are printed, beside what was found in them. */
function onPaper(visit: Visit, letter: MailJobRecord): Markup {
  const pages = section(visit.texts.letter.preview, letterPages(visit, letter));
  if (letter.findings === undefined) return pages;
  const findings = section(visit.texts.findings.title, letterFindings(visit, letter.findings));
  return html`<div class="on-paper">${pages}${findings}</div>`;
}

function about(visit: Visit, letter: MailJobRecord): Markup {
  const { texts, format } = visit;
  const words = texts.letter;
  const { externalId, createdBy, template, acknowledgmentReceipt, webhookUrl, metadata = [] } = letter;
  const ofList = listRowOf(externalId);
  const list =
    ofList &&
    html`<a href="${visit.href(`/account/bulk/${ofList.bulkId}/letters`)}">${texts.words.rowOfList(format.number(ofList.row))}</a>`;
  const madeOf =
    template && html`<code>${template.templateId}</code>, ${texts.words.versionOf(format.number(template.version))}`;
  return facts([
    [texts.words.labels.status, statusBadge(texts, letter.status)],
    [texts.words.labels.mode, modeBadge(texts, letter.mode)],
    [words.id, html`<code>${letter._id}</code>`],
    ...(list === null ? [] : [[texts.words.list, list] as const]),
    ...(externalId === undefined || ofList ? [] : [[words.externalId, html`<code>${externalId}</code>`] as const]),
    ...creatorFacts(visit, createdBy),
    ...(madeOf === undefined ? [] : [[words.template, madeOf] as const]),
    [texts.words.labels.service, texts.words.serviceTypes[letter.serviceType]],
    [words.destination, texts.words.zones[letter.zone]],
    [words.pages, format.number(letter.pages)],
    [
      words.color,
      [
        letter.color ? words.colors.yes : words.colors.no,
        texts.words.sides[letter.doubleSided === false ? 'one' : 'two'],
      ].join(', '),
    ],
    ...(acknowledgmentReceipt ? [[words.acknowledgment, words.yes] as const] : []),
    ...(webhookUrl === null ? [] : [[words.webhookUrl, webhookUrl] as const]),
    ...(metadata.length === 0
      ? []
      : [
          [
            words.metadata,
            html`<ul>${metadata.map(({ key, value }) => html`<li>${key}: ${value}</li>`)}</ul>`,
          ] as const,
        ]),
  ]);
}

function recipients(visit: Visit, { items, serviceType }: MailJobRecord): Markup {
  const { texts } = visit;
  const words = texts.letter;
  const hidden = items.length - maxRecipients;
  const tracking = {
    label: words.tracking,
    cell: ({ tracking: label }: MailItem) => (label ? html`<code>${label.number}</code>` : nothing),
  };
  return html`${table(
    words.recipients,
    [
      { label: words.recipient, cell: ({ name }) => html`<strong>${name}</strong>` },
      { label: words.address, cell: (item) => postalAddress(visit, item, { hasName: false }) },
      { label: texts.words.labels.status, cell: ({ status }) => statusBadge(texts, status) },
      ...(serviceType === 'registered' ? [tracking] : []),
    ],
    items.slice(0, maxRecipients),
  )}${hidden > 0 ? html`<p class="quiet">${words.more(hidden)}</p>` : nothing}`;
}

function files({ texts, format }: Visit, letter: MailJobRecord): Markup {
  const words = texts.letter;
  return table(
    words.files,
    [
      { label: words.file, cell: ({ filename }) => html`<span class="breakable">${filename}</span>` },
      { label: words.size, isNumber: true, cell: ({ sizeBytes }) => format.size(sizeBytes) },
    ],
    letter.files,
  );
}
