import { followEvents, subjectOf } from '../listen/follow-events.ts';
import type { Command } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { localTime, plain } from '../program/output.ts';
import type { StreamedEvent } from '../sdk.ts';

/** `events tail` prints events as they happen. */
export const eventsTailCommand: Command = {
  name: 'events tail',
  summary: 'Print events as they happen, until Ctrl-C.',
  flags: { after: { value: 'ID', help: 'Start after this event instead of now.' } },
  examples: ['bluejay events tail', 'bluejay events tail --json | jq .mailJobId'],
  notes: ['After a lost connection it resumes where it was.'],
  async run(context) {
    const { text, out, signal } = context;
    const { bluejay } = await connect(context);
    await followEvents({
      ...{ bluejay, after: text('after'), signal, note: out.note },
      onEvent: (event) => out.entry(event.data, () => plain(describeEvent(event))),
    });
  },
};

function describeEvent(event: StreamedEvent): string {
  // The moment that an event reports: `postedAt`, `failedAt`.
  const moment = Object.entries(event.data).find(([name]) => name.endsWith('At'))?.[1];
  const time = localTime(typeof moment === 'string' ? moment : null);
  return `${time}  ${event.event.padEnd(14)}  ${subjectOf(event)}  ${event.id}`;
}
