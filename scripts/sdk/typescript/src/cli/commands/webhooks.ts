import { describeForwarded, followEvents } from '../listen/follow-events.ts';
import { newSigningSecret } from '../listen/sign-delivery.ts';
import type { Command } from '../program/command.ts';
import { connect, readUrl } from '../program/connect.ts';
import { UsageError } from '../program/failure.ts';

/** `webhooks listen` posts events to a local program. */
export const webhooksListenCommand: Command = {
  name: 'webhooks listen',
  summary: 'Post events to a local URL, signed like webhook deliveries, until Ctrl-C.',
  flags: { forward: { value: 'URL', help: 'Where to post them. Required.' } },
  examples: ['bluejay webhooks listen --forward http://localhost:8080/hook'],
  notes: ['The signing secret is printed at the start. WEBHOOK_SECRET sets it, so that it stays the same.'],
  async run(context) {
    const { text, env, out, signal } = context;
    const forward = text('forward');
    if (forward === undefined)
      throw new UsageError('--forward is missing.', 'Give --forward http://localhost:8080/hook');
    // Only checked: a slash at the end may matter to the receiver.
    readUrl('--forward', forward);
    const forwardUrl = forward;
    const secret = env.WEBHOOK_SECRET?.trim() || newSigningSecret();
    if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret))
      throw new UsageError('WEBHOOK_SECRET must be whsec_ followed by base64.');
    const { url: apiUrl, apiKey: key } = await connect(context);
    out.note(`Events of ${apiUrl} go to ${forwardUrl}, signed with`);
    out.note(`WEBHOOK_SECRET=${secret}`);
    await followEvents({
      ...{ apiUrl, key, forwardUrl, secret, signal, note: out.note },
      onForwarded: (event, answer) =>
        out.entry({ ...JSON.parse(event.data), ...answer }, () => describeForwarded(event, answer)),
    }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    out.note('Stopped.');
  },
};
