import { html } from 'hono/html';
import type { MailStatus } from '../../../../common/mail-jobs/lifecycle.ts';
import type { MailJobRecord } from '../../../../common/mail-jobs/mail-job.model.ts';
import type { DeliveryRecord, DeliveryState } from '../../../../common/webhooks/delivery.model.ts';
import type { SummaryEvent } from '../../../../common/webhooks/event.view.ts';
import type { Markup } from '../../markup.ts';
import { type BadgeKind, badge } from '../../views/badge.ts';
import { table } from '../../views/table.ts';
import type { Visit } from '../../visit.ts';

type Told = { event: SummaryEvent; delivery: Omit<DeliveryRecord, 'body'> | null };

const stateKinds: Record<DeliveryState, BadgeKind> = {
  due: 'neutral',
  sending: 'info',
  delivered: 'success',
  failed: 'danger',
  discarded: 'warning',
};

/** Each event of a letter with each receiver that it was for, and what came of it. */
export function letterEvents(
  visit: Visit,
  letter: MailJobRecord,
  events: readonly { event: SummaryEvent; deliveries: readonly DeliveryRecord[] }[],
): Markup {
  const { texts, format } = visit;
  const words = texts.letter;
  if (events.length === 0) return html`<p class="quiet">${words.noEvents}</p>`;
  const rows = events.flatMap(({ event, deliveries }): Told[] =>
    deliveries.length === 0 ? [{ event, delivery: null }] : deliveries.map((delivery) => ({ event, delivery })),
  );
  const statusOf = ({ kind }: SummaryEvent) => kind.slice('MAIL_'.length).toLowerCase() as MailStatus;
  return table<Told>(
    `${words.events} (${letter._id})`,
    [
      { label: words.event, cell: ({ event }) => html`<strong>${texts.words.statuses[statusOf(event)]}</strong>` },
      { label: words.at, cell: ({ event }) => format.moment(event.at) },
      {
        label: words.deliveredTo,
        cell: ({ delivery }) =>
          html`<span class="breakable">${delivery === null ? words.noReceiver : delivery.url}</span>`,
      },
      {
        label: words.status,
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
