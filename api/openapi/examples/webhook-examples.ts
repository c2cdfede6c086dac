import type { EventKind } from '#common/events/event.model.ts';
import { bulkId } from './bulk-examples.ts';
import { aReturnedItem } from './letter-examples.ts';
import { byKey, createdAt, externalId, mailJobId } from './shared-examples.ts';

// The events and webhooks of the letter in the other examples.

const queuedAt = createdAt;
const printedAt = '2026-03-02T13:05:12.345Z';
const postedAt = '2026-03-02T14:10:00.000Z';
const deliveredAt = '2026-03-03T10:42:07.000Z';
const failedAt = printedAt;

export const webhookPath = { id: 'wh_01m7ynaxr6fqa9hh335ht1rjmh' };
export const webhookRequest: { url: string; events: EventKind[] } = {
  url: 'https://example.com/bluejay-events',
  events: ['MAIL_POSTED', 'MAIL_FAILED'],
};
export const aWebhook = {
  ...webhookPath,
  ...webhookRequest,
  description: null,
  mode: 'test' as const,
  status: 'active' as const,
  disabledReason: null,
  ...byKey,
  createdAt,
  updatedAt: createdAt,
};
/** Signs the example of each event, so integrators can test their endpoint against the documentation. */
export const exampleSecret = 'whsec_QSBzZWNyZXQgZm9yIHRoZSBleGFtcGxlcyBhbG9uZS4=';

const subject = { mailJobId, externalId };
/** The payload of each event. */
export const eventPayloads = {
  MAIL_QUEUED: { event: 'MAIL_QUEUED', ...subject, status: 'queued', queuedAt },
  MAIL_PRINTED: { event: 'MAIL_PRINTED', ...subject, status: 'printed', printedAt },
  MAIL_POSTED: { event: 'MAIL_POSTED', ...subject, status: 'posted', postedAt },
  MAIL_DELIVERED: { event: 'MAIL_DELIVERED', ...subject, status: 'delivered', deliveredAt },
  MAIL_FAILED: {
    event: 'MAIL_FAILED',
    ...subject,
    status: 'failed',
    failedAt,
    failure: { code: 'PAGE_COUNT_MISMATCH', message: 'The files have 4 pages; the mail job says 3.' },
  },
  ITEM_RETURNED: {
    event: 'ITEM_RETURNED',
    ...subject,
    itemId: aReturnedItem.itemId,
    reason: aReturnedItem.returned.reason,
    returnedAt: aReturnedItem.returned.at,
  },
  BULK_COMPLETED: {
    event: 'BULK_COMPLETED',
    bulkId,
    sent: 1_203,
    refused: 1,
    totalCents: 234_585,
    completedAt: '2026-03-02T09:41:00.000Z',
  },
} as const satisfies Record<EventKind, object>;

/** ID and time of the example delivery. */
export const exampleDelivery = { id: 'whd_01m7ynaxr6fqa9hh45j8mfgj6z', at: '2026-03-03T10:42:08.000Z' };

const eventId = 'evt_01m7ynaxr6fqa9hh3f6vq7d2mk';
export const anEvent = {
  id: eventId,
  event: 'MAIL_POSTED',
  mailJobId,
  itemId: null,
  mode: 'test',
  isTest: false,
  createdAt: postedAt,
} as const;

/** A delivery whose first attempt failed. */
const aFirstFailure = {
  id: exampleDelivery.id,
  eventId,
  event: 'MAIL_POSTED',
  mailJobId,
  webhookId: webhookPath.id,
  url: webhookRequest.url,
  status: 'due',
  attemptCount: 1,
  isManual: false,
  lastResult: '500',
  nextAttemptAt: '2026-03-02T14:10:06.213Z',
  createdAt: postedAt,
  updatedAt: '2026-03-02T14:10:00.412Z',
} as const;
const attempts = [
  {
    number: 1,
    startedAt: '2026-03-02T14:10:00.101Z',
    endedAt: '2026-03-02T14:10:00.398Z',
    status: 500,
    errorClass: null,
    replyHead: 'Internal Server Error',
  },
];
export const aDelivery = { ...aFirstFailure, attempts };
export const aRedelivery = {
  ...aFirstFailure,
  isManual: true,
  nextAttemptAt: '2026-03-02T16:00:00.000Z',
  updatedAt: '2026-03-02T16:00:00.000Z',
  attempts,
};
export const anEventDetail = {
  ...anEvent,
  body: JSON.stringify(eventPayloads.MAIL_POSTED),
  deliveries: [aFirstFailure],
};
export const anEventStream = `retry: 2000
id: ${eventId}
event: MAIL_POSTED
data: ${JSON.stringify(eventPayloads.MAIL_POSTED)}

: still here

`;
export const aPing = {
  deliveryId: exampleDelivery.id,
  eventId,
  event: 'MAIL_POSTED',
  mailJobId: `ping-${eventId.slice('evt_'.length)}`,
} as const;

export const aTriggered = {
  eventId,
  event: 'MAIL_POSTED',
  mailJobId: `trigger-${eventId.slice('evt_'.length)}`,
} as const;
