import { html } from 'hono/html';
import { type BadgeKind, badge } from '#api/web/design/badge.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { table } from '#api/web/design/table.ts';
import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import type { SummaryEvent } from '#common/webhooks/console/event.view.ts';
import type { DeliveryRecord, DeliveryState } from '#common/webhooks/deliveries/delivery.model.ts';
import type { Visit } from './texts.ts';

type EventRow = { event: SummaryEvent; delivery: Omit<DeliveryRecord, 'body'> | null };

const stateKinds: Record<DeliveryState, BadgeKind> = {
  due: 'neutral',
  sending: 'info',
  delivered: 'success',
  failed: 'danger',
  discarded: 'warning',
};

/** Renders the events of a letter, one row per delivery, with its result. */
export function letterEvents(
  visit: Visit,
  letter: MailJobRecord,
  events: readonly { event: SummaryEvent; deliveries: readonly DeliveryRecord[] }[],
): Markup {
  const { texts, format } = visit;
  const words = texts.letter;
  if (events.length === 0) return html`<p class="quiet">${words.noEvents}</p>`;
  const rows = events.flatMap(({ event, deliveries }): EventRow[] =>
    deliveries.length === 0 ? [{ event, delivery: null }] : deliveries.map((delivery) => ({ event, delivery })),
  );
  const textOf = ({ kind }: SummaryEvent) =>
    kind === 'ITEM_RETURNED'
      ? words.steps.returned
      : texts.words.statuses[kind.slice('MAIL_'.length).toLowerCase() as MailStatus];
  return table<EventRow>(
    `${words.events} (${letter._id})`,
    [
      { label: words.event, cell: ({ event }) => html`<strong>${textOf(event)}</strong>` },
      { label: words.at, cell: ({ event }) => format.moment(event.at) },
      {
        label: words.deliveredTo,
        cell: ({ delivery }) =>
          html`<span class="breakable">${delivery === null ? words.noReceiver : delivery.url}</span>`,
      },
      {
        label: texts.words.labels.status,
        cell: ({ delivery }) =>
          delivery === null ? '–' : badge(stateKinds[delivery.state], words.deliveryStates[delivery.state]),
      },
      {
        label: words.attempts,
        isNumber: true,
        cell: ({ delivery }) => (delivery === null ? '–' : format.number(delivery.attempt)),
      },
      { label: words.result, cell: ({ delivery }) => html`<code>${delivery?.lastResult ?? '–'}</code>` },
    ],
    rows,
  );
}
