import type { Command } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { localTime } from '../program/output.ts';

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
    out.note('Waiting for events. Ctrl-C ends it.');
    try {
      for await (const { id, event, data } of bluejay.events.stream(after ? { after } : {}, { signal })) {
        // A message without an event only carries the position in the stream.
        if (event === '') continue;
        out.entry(data, () => `${localTime(data.createdAt)}  ${event.padEnd(14)}  ${data.mailJobId}  ${id}`);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      out.note('Stopped.');
    }
  },
};
