import { html } from 'hono/html';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { facts } from '#api/web/design/page-parts.ts';
import { postalAddress } from '#api/web/design/postal-address.ts';
import type { Blocker } from '#common/drafts/check-draft.ts';
import { senderKeyOf } from '#common/drafts/send-draft.ts';
import type { Amounts } from '#common/pricing/price-letter.ts';
import { draftForm, refusal, type SendScene, stepBlockers, steps } from './send-scene.ts';

/** Most recipients that are named. */
const maxNamed = 3;

/** Renders what will happen, what it costs, and the button; or what is missing. */
export function confirmStep(scene: SendScene): Markup {
  const { check } = scene;
  const amounts = check.prices.amounts;
  const others = check.blockers.filter((blocker) => blocker !== 'balance_short');
  const isShort = check.blockers.includes('balance_short') && check.pricedPages !== null;
  const canSend = check.blockers.length === 0 && amounts !== null;
  return html`${canSend ? nothing : refusal(scene, ['confirm'])}
${others.length === 0 ? nothing : missing(scene, others)}
${summary(scene)}
${isShort && amounts ? shortBalance(scene, amounts) : nothing}
${canSend ? sendForm(scene, amounts) : nothing}`;
}

function missing({ visit }: SendScene, blockers: readonly Blocker[]): Markup {
  const words = visit.texts.send;
  const stepOf = (blocker: Blocker) =>
    steps.find((step) => (stepBlockers[step] as readonly string[]).includes(blocker));
  return notice(
    'info',
    html`<p class="notice-title">${words.blockersTitle}</p><ul>${blockers.map((blocker) => html`<li><a href="#${stepOf(blocker)}">${words.blockers[blocker]}</a></li>`)}</ul>`,
  );
}

function shortBalance({ visit, draft: { mode }, check: { balanceCents } }: SendScene, { totalCents }: Amounts): Markup {
  const words = visit.texts.send;
  const missingAmount = visit.format.money(totalCents - balanceCents);
  return notice(
    'warning',
    html`<p class="notice-title">${words.blockers.balance_short}</p><p>${words.short[mode](missingAmount)}</p><p><a href="${visit.href('/account/wallet', { mode })}">${words.topUp}</a></p>`,
  );
}

function summary({ visit, draft, check }: SendScene): Markup {
  const { texts, format } = visit;
  const words = texts.send;
  const { prices, pricedPages, drop, balanceCents, sender, preflight } = check;
  const amounts = pricedPages === null || check.zone === null ? null : prices.amounts;
  const hidden = draft.recipients.length - maxNamed;
  const changeSender = html`<a href="${visit.href('/account/addresses', { mode: draft.mode, kind: 'SENDER' })}">${words.changeSender}</a>`;
  const chosen = [
    texts.words.serviceTypes[draft.serviceType],
    draft.color ? words.colors.yes : words.colors.no,
    texts.words.sides[draft.doubleSided === false ? 'one' : 'two'],
    ...(draft.acknowledgmentReceipt && draft.serviceType === 'registered' ? [words.receipt] : []),
  ];
  const paper = preflight?.result?.facts;
  const names = draft.recipients.slice(0, maxNamed).map(({ name }) => name);
  return facts([
    ...(draft.recipients.length === 0
      ? []
      : [[words.to, html`${format.list(names)}${hidden > 0 ? html` ${words.andMore(hidden)}` : nothing}`] as const]),
    [words.from, html`${postalAddress(visit, sender)}${changeSender}`],
    ...(paper ? [[words.document, words.paper(paper.pages, paper.sheets)] as const] : []),
    [words.chosen, chosen.join(', ')],
    ...(drop
      ? [
          [words.goesOn, html`<strong>${format.moment(drop.dropAt)}</strong>`] as const,
          ...(draft.mode === 'live' ? [[words.cancelUntil, format.moment(drop.closesAt)] as const] : []),
        ]
      : []),
    ...(amounts
      ? [
          [words.total, total(visit.format, words, amounts)] as const,
          [words.balanceNow, format.money(balanceCents)] as const,
          ...(balanceCents >= amounts.totalCents
            ? [[words.balanceAfter, format.money(balanceCents - amounts.totalCents)] as const]
            : []),
        ]
      : [[words.balanceNow, format.money(balanceCents)] as const]),
  ]);
}

function total(
  format: SendScene['visit']['format'],
  words: SendScene['visit']['texts']['send'],
  { totalCents, vatCents, recipientCount }: Amounts,
): Markup {
  const each = recipientCount > 1 ? html`, ${words.perCopy(format.money(totalCents / recipientCount))}` : nothing;
  return html`<strong class="send-total">${format.money(totalCents)}</strong> <span class="quiet">(${words.vatPart(format.money(vatCents))}${each})</span>`;
}

function sendForm(scene: SendScene, { totalCents, recipientCount }: Amounts): Markup {
  const { visit, draft, check } = scene;
  const words = visit.texts.send;
  const price = visit.format.money(totalCents);
  const label = draft.mode === 'live' ? words.sendLabel(recipientCount, price) : words.sendTest(recipientCount, price);
  return draftForm(
    scene,
    { action: 'confirm' },
    (
      fields,
    ) => html`${fields.hidden('revision', String(draft.revision))}${fields.hidden('total', String(totalCents))}${fields.hidden('sender', senderKeyOf(check.sender))}
<div class="send-now">${fields.submit({ value: 'send', label, isBig: true })}<p class="quiet">${words.sendHint[draft.mode]}</p></div>`,
  );
}
