import { z } from 'zod';
import { anEventStream } from '#api/openapi/examples/webhook-examples.ts';
import { defineRoute, stream, textOf } from '#api/route.ts';
import type { StreamItem } from '#common/events/event-stream.ts';
import { lineOfText } from '#common/fields/text.schema.ts';

const contentType = 'text/event-stream';
/** Time before a client reconnects, in milliseconds. */
const reconnectAfterMs = 2_000;
const EventId = lineOfText(100).optional();

export const streamEvents = defineRoute({
  method: 'get',
  path: '/v1/events/stream',
  scope: 'read',
  operationId: 'streamEvents',
  summary: 'Stream events',
  description: `Streams the events of your organization and mode as they happen, as server-sent events: \`id\` is the ID of the event,
\`event\` its kind, and \`data\` the same body that webhooks receive, unsigned. A comment is sent every 15 seconds, so silence
means a lost connection. Test events sent by a ping are not streamed.

To resume, send the last ID as \`Last-Event-ID\` or as \`after\`. The stream then starts with the events from 10 seconds
before that event, so deduplicate them by ID. One response replays at most 10,000 events after it and then ends. Reconnect
for the rest.

An organization can have 10 open streams for each mode in each API process (429), and a process 500 (503). A stream ends
when its key or token becomes invalid, when the service stops, and when the client stops reading. Reconnect to continue.`,
  query: z.strictObject({
    after: EventId.describe('ID of the last event that you received. Takes precedence over the header.'),
  }),
  headers: z.object({ 'last-event-id': EventId.describe('Sent by EventSource when it reconnects.') }),
  responses: { 200: textOf(contentType) },
  errors: [],
  example: { responses: { 200: anEventStream } },

  async handle({ query, headers, credential, isStillAuthenticated }, { eventStreams }) {
    const after = query.after ?? headers['last-event-id'];
    return stream(contentType, asText(await eventStreams.open(credential, { after, isAllowed: isStillAuthenticated })));
  },
});

/** Converts stream items to server-sent events. The body is JSON on a single line, so it contains no line breaks. */
function asText(items: AsyncIterableIterator<StreamItem>): AsyncIterableIterator<string> {
  const text: AsyncIterableIterator<string> = {
    async next() {
      const { done, value } = await items.next();
      return done ? { done, value: undefined } : { done: false, value: write(value) };
    },
    async return() {
      await items.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => text,
  };
  return text;
}

function write(item: StreamItem): string {
  switch (item.kind) {
    case 'start':
      return `retry: ${reconnectAfterMs}\nid: ${item.id}\n\n`;
    case 'heartbeat':
      return ': still here\n\n';
    case 'event':
      return `id: ${item.event._id}\nevent: ${item.event.kind}\ndata: ${item.event.body}\n\n`;
  }
}
