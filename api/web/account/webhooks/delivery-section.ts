import { html } from 'hono/html';
import { type BadgeKind, badge } from '#api/web/design/badge.ts';
import { filterLinks } from '#api/web/design/filter-links.ts';
import { buttonForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { emptyState, pagination, section } from '#api/web/design/page-parts.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { type EventKind, eventKinds } from '#common/events/event.model.ts';
import type { Page } from '#common/platform/mongo/read-page.ts';
import {
  type DeliveryAttemptRecord,
  type DeliveryState,
  deliveryStates,
} from '#common/webhooks/deliveries/delivery.model.ts';
import type { DeliveryWithAttempts } from '#common/webhooks/deliveries/delivery.view.ts';
import type { WebhookRecord } from '#common/webhooks/registry/webhook.model.ts';
import type { Visit } from './texts.ts';
import { webhookPath } from './webhook-form.ts';

type DeliveryQuery = {
  state?: DeliveryState | undefined;
  event?: EventKind | undefined;
  mailJobId?: string | undefined;
  cursor?: string | undefined;
};

type Shown = {
  webhook: WebhookRecord;
  page: Page<DeliveryWithAttempts>;
  query: DeliveryQuery;
  /** A refused `redeliver` form. */
  sent: SentForm;
};

/** Renders the deliveries of a webhook with filters, attempts and a button to send them again. */
export function deliverySection(visit: Visit, shown: Shown): Markup {
  const words = visit.texts.deliveries;
  const { webhook, page, query } = shown;
  const { cursor, ...filter } = query;
  const path = webhookPath(webhook._id);
  const list =
    page.rows.length === 0
      ? emptyState(words.none, words.noneHint)
      : html`<ul class="rows">${page.rows.map((delivery) => deliveryRow(visit, delivery, shown))}</ul>`;
  return section(
    words.title,
    html`<p class="quiet">${words.lead}</p>
${filters(visit, path, filter)}
${list}
${pagination({ visit, path, query: filter, cursor, nextCursor: page.nextCursor })}`,
  );
}

function filters(visit: Visit, path: string, filter: Omit<DeliveryQuery, 'cursor'>): Markup {
  const words = visit.texts.deliveries;
  const { labels } = visit.texts.words;
  const { state, event, mailJobId } = filter;
  const states = [undefined, ...deliveryStates].map((each) => ({
    label: each ? words.states[each] : labels.all,
    href: visit.href(path, { ...filter, state: each }),
    isCurrent: each === state,
  }));
  const events = [undefined, ...eventKinds].map((each) => ({
    label: each ?? labels.all,
    href: visit.href(path, { ...filter, event: each }),
    isCurrent: each === event,
  }));
  const ofAll = visit.href(path, { state, event });
  return html`${filterLinks(labels.status, states)}
${filterLinks(words.event, events)}
${mailJobId === undefined ? nothing : html`<p>${words.ofLetter(mailJobId)} <a href="${ofAll}">${words.allLetters}</a></p>`}`;
}

const stateKinds: Record<DeliveryState, BadgeKind> = {
  due: 'info',
  sending: 'info',
  delivered: 'success',
  failed: 'danger',
  discarded: 'neutral',
};

function deliveryRow(visit: Visit, delivery: DeliveryWithAttempts, { webhook, sent }: Shown): Markup {
  const { texts, format } = visit;
  const words = texts.deliveries;
  const { _id, state, event, mailJobId, createdAt, nextAttemptAt, isManual } = delivery;
  const next = state === 'due' && nextAttemptAt ? words.next(format.moment(nextAttemptAt)) : null;
  const ofLetter = visit.href(webhookPath(webhook._id), { mailJobId });
  return html`<li class="row">
<div class="row-head">${badge(stateKinds[state], words.states[state])}<strong>${event}</strong><span class="quiet">${format.moment(createdAt)}</span>
${webhook.status === 'active' && state !== 'sending' ? redeliverForm(visit, { webhookId: webhook._id, deliveryId: _id, sent }) : nothing}</div>
<p class="quiet">${words.letter} <a class="breakable" href="${ofLetter}"><code>${mailJobId}</code></a></p>
${next === null ? nothing : html`<p class="quiet">${next}</p>`}
${isManual === true ? html`<p class="quiet">${words.resentManually}</p>` : nothing}
${attemptList(visit, delivery)}
</li>`;
}

function redeliverForm(
  visit: Visit,
  { webhookId, deliveryId, sent }: { webhookId: string; deliveryId: string; sent: SentForm },
): Markup {
  const { redeliver, redeliverOf } = visit.texts.deliveries;
  const action = `${webhookPath(webhookId)}/deliveries/${deliveryId}/redeliver`;
  const describedBy = redeliverOf(deliveryId);
  return buttonForm({ visit, sent, action }, { value: 'redeliver', label: redeliver, kind: 'plain', describedBy });
}

/** Renders the attempts, newest first. Attempts are kept for a shorter time than deliveries. */
function attemptList(visit: Visit, { attempt, attempts }: DeliveryWithAttempts): Markup {
  const words = visit.texts.deliveries;
  if (attempt === 0) return html`<p class="quiet">${words.notTried}</p>`;
  if (attempts.length === 0) return html`<p class="quiet">${words.attempts(attempt)}</p>`;
  return html`<details><summary>${words.attempts(attempt)}: ${outcomeOf(visit, attempts[0])}</summary>
<ol class="rows">${attempts.map((each) => attemptRow(visit, each))}</ol></details>`;
}

function attemptRow(visit: Visit, attempt: DeliveryAttemptRecord): Markup {
  const { texts, format } = visit;
  const { number, startedAt, durationMs, replyHead } = attempt;
  return html`<li class="row"><p><strong>${texts.deliveries.attempt(number)}</strong> <span class="quiet">${format.moment(startedAt)}, ${format.number(durationMs)} ms</span></p>
<p>${outcomeOf(visit, attempt)}</p>
${replyHead === null || replyHead === '' ? nothing : html`<p class="quiet">${texts.deliveries.reply}</p><pre tabindex="0"><code>${replyHead}</code></pre>`}</li>`;
}

/** Returns the result of an attempt as text. */
function outcomeOf({ texts }: Visit, attempt: DeliveryAttemptRecord | undefined): string {
  const { answered, errorClasses } = texts.deliveries;
  if (attempt === undefined) return '';
  if (attempt.status !== null) return answered(attempt.status);
  const words: Record<string, string> = errorClasses;
  return words[attempt.errorClass ?? 'other'] ?? errorClasses.other;
}
