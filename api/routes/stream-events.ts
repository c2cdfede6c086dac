import { z } from 'zod';
import { lineOfText } from '../../common/text.schema.ts';
import type { StreamItem } from '../../common/webhooks/event-stream.ts';
import { defineRoute, stream, textOf } from '../route.ts';
import { anEventStream } from '../webhook-examples.ts';

const contentType = 'text/event-stream';
/** How long a client waits before it connects again, in milliseconds. */
const reconnectAfterMs = 2_000;
const EventId = lineOfText(100).optional();

/** The caller's events as they happen, for a machine that no webhook can reach. */
export const streamEvents = defineRoute({
  method: 'get',
  path: '/v1/events/stream',
  scope: 'read',
  operationId: 'streamEvents',
  summary: 'Stream events',
  description: `The events of the key's organization and mode as they happen, as server-sent events: \`id\` is the event's id, \`event\` its
kind, \`data\` the very body that webhooks get, unsigned. A comment comes every 15 seconds, so that silence means a lost
connection. Tests made by a ping are not streamed.

To resume, send the last id as \`Last-Event-ID\` or as \`after\`: the stream then begins with the events since 10 seconds
before it, so drop what you have by its id. One answer replays 10,000 events after it at most, and ends; come again for the
rest.

An organization may have 10 streams of each mode open in a process (429), a process 500 (503). A stream ends when its
key or token ends, when the service stops, and when its reader takes nothing; a client connects again.`,
  query: z.strictObject({ after: EventId.describe('The last id that you have got; goes before the header.') }),
  headers: z.object({ 'last-event-id': EventId.describe('Sent by EventSource when it connects again.') }),
  responses: { 200: textOf(contentType) },
  errors: [],
  example: { responses: { 200: anEventStream } },

  async handle({ query, headers, credential, isStillAllowed }, { eventStreams }) {
    const after = query.after ?? headers['last-event-id'];
    return stream(contentType, asText(await eventStreams.open(credential, { after, isAllowed: isStillAllowed })));
  },
});

/** Server-sent events: the body has no line break, since it is JSON on one line. */
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
