import { followEvents } from '../listen/follow-events.ts';
import type { Command } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { localTime, plain } from '../program/output.ts';
import type { Schemas } from '../sdk.ts';

/** `events tail` prints events as they happen. */
export const eventsTailCommand: Command = {
  name: 'events tail',
  summary: 'Print events as they happen, until Ctrl-C.',
  flags: { after: { value: 'ID', help: 'Start after this event instead of now.' } },
  examples: ['bluejay events tail', 'bluejay events tail --json | jq .mailJobId'],
  notes: ['After a lost connection it resumes where it was.'],
  async run(context) {
    const { text, out, signal } = context;
    const { url: apiUrl, apiKey: key } = await connect(context);
    await followEvents({
      ...{ apiUrl, key, after: text('after'), signal, note: out.note },
      onEvent: ({ id, event, data }) => {
        const { createdAt, mailJobId, ...rest } = JSON.parse(data) as Schemas['EventSummary'];
        const line = () => `${localTime(createdAt)}  ${event.padEnd(14)}  ${mailJobId}  ${id}`;
        out.entry({ createdAt, mailJobId, ...rest }, () => plain(line()));
      },
    });
  },
};
