import { lineOfText } from '#common/fields/text.schema.ts';
import { mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import { setLetterStatus } from '#common/production/operator/set-letter-status.ts';
import { argument, defineCommand, option } from '../command.ts';
import { idOf, oneOf } from '../option.schema.ts';
import { withHints } from '../with-hints.ts';

const setStatus = defineCommand({
  name: 'mail set-status',
  summary: 'record the status of a live letter; forward only',
  fields: {
    mailJobId: argument('the mail job', idOf('mj')),
    status: argument('printed, posted, delivered or failed (which refunds the letter)', oneOf(mailStatuses)),
    reason: option('--reason <text>', 'the reason of the failure, shown to the customer', lineOfText(255).optional()),
  },

  async run({ mailJobId, status, reason }, services) {
    const change = { mailJobId, target: status, reason, by: services.actor };
    const at = services.clock.now();
    return await withHints(services, (hints) => setLetterStatus(change, { hints, at }));
  },
  describe: ({ mailJobId, previousStatus, status }) => `${mailJobId} was ${previousStatus} and is ${status} now.`,
});

export const mailCommands = [setStatus];
