import type { Command } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { localTime } from '../program/output.ts';
import type { StreamedEvent } from '../sdk.ts';

/** `events tail` prints events as they happen. */
export const eventsTailCommand: Command = {
  name: 'events tail',
  summary: 'Print events as they happen, until Ctrl-C.',
  flags: { after: { value: 'ID', help: 'Start after this event instead of now.' } },
  examples: ['bluejay events tail', 'bluejay events tail --json | jq .mailJobId'],
  async run(context) {
    const { text, out, signal } = context;
    const after = text('after');
    const { bluejay } = await connect(context);
    let isAgain = false;
    const onOpen = () => {
      out.note(isAgain ? 'Connected again.' : 'Waiting for events. Ctrl-C ends it.');
      isAgain = true;
    };
    try {
      for await (const event of bluejay.events.stream(after ? { after } : {}, { signal, onOpen })) {
        out.entry(event.data, () => describeEvent(event));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      out.note('Stopped.');
    }
  },
};

function describeEvent({ id, event, data }: StreamedEvent): string {
  // The moment that an event reports: `postedAt`, `failedAt`.
  const moment = Object.entries(data).find(([name]) => name.endsWith('At'))?.[1];
  const subject = 'mailJobId' in data ? data.mailJobId : data.bulkId;
  return `${localTime(typeof moment === 'string' ? moment : null)}  ${event.padEnd(14)}  ${subject}  ${id}`;
}
