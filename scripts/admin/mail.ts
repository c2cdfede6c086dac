import { z } from 'zod';
import { mailStatuses } from '../../common/mail-jobs/lifecycle.ts';
import { setLiveStatus } from '../../common/mail-jobs/set-live-status.ts';
import { lineOfText } from '../../common/text.schema.ts';
import { defineCommand } from './command.ts';
import { idOf, oneOf } from './option.schema.ts';
import { withHints } from './with-hints.ts';

const setStatus = defineCommand({
  name: 'mail set-status',
  summary: 'record what has happened to a live letter; forward only',
  arguments: { mailJobId: 'the mail job', status: 'printed, posted, delivered or failed (which gives the money back)' },
  options: { '--reason <text>': 'why it failed, as the customer will read it' },
  input: z.strictObject({
    mailJobId: idOf('mj'),
    status: oneOf(mailStatuses),
    reason: lineOfText(255).optional(),
  }),

  async run({ mailJobId, status, reason }, services) {
    const change = { mailJobId, target: status, reason, by: services.actor };
    return await withHints(services, (hints) => setLiveStatus(change, hints, services.clock.now()));
  },
  describe: ({ mailJobId, previousStatus, status }) => `${mailJobId} was ${previousStatus} and is ${status} now.`,
});

export const mailCommands = [setStatus];
