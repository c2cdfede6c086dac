import { followEvents } from '../listen/follow-events.ts';
import { createForwarder, describeForwarded } from '../listen/forward-event.ts';
import { newSigningSecret } from '../listen/sign-delivery.ts';
import type { Command } from '../program/command.ts';
import { connect, readUrl } from '../program/connect.ts';
import { UsageError } from '../program/failure.ts';
import { plain } from '../program/output.ts';

/** `webhooks listen` posts events to a local program. */
export const webhooksListenCommand: Command = {
  name: 'webhooks listen',
  summary: 'Post events to a local URL, signed like webhook deliveries, until Ctrl-C.',
  flags: { forward: { value: 'URL', help: 'Where to post them. Required.' } },
  examples: ['bluejay webhooks listen --forward http://localhost:8080/hook'],
  notes: [
    'The signing secret is printed at the start. WEBHOOK_SECRET sets it, so that it stays the same. There is no flag for',
    'it: other users of the machine could read it. After a lost connection it resumes where it was.',
  ],
  async run(context) {
    const { text, env, out, signal } = context;
    const forwardUrl = text('forward');
    if (forwardUrl === undefined)
      throw new UsageError('--forward is missing.', 'Give --forward http://localhost:8080/hook');
    // Only checked: a slash at the end may matter to the receiver.
    readUrl('--forward', forwardUrl);
    const secret = env.WEBHOOK_SECRET?.trim() || newSigningSecret();
    if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret))
      throw new UsageError('WEBHOOK_SECRET must be whsec_ followed by base64.');
    const { bluejay, url: apiUrl } = await connect(context);
    out.note(`Events of ${apiUrl} go to ${forwardUrl}, signed with`);
    out.note(`WEBHOOK_SECRET=${secret}`);
    const onEvent = createForwarder({
      ...{ url: forwardUrl, secret, signal },
      onForwarded: (event, answer) =>
        out.entry({ ...event.data, ...answer }, () => plain(describeForwarded(event, answer))),
    });
    await followEvents({ bluejay, onEvent, signal, note: out.note });
  },
};
