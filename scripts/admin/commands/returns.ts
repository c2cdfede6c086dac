import { returnReasons } from '#common/mail-jobs/model/returned.ts';
import { markReturned } from '#common/production/returns/mark-returned.ts';
import { argument, defineCommand, option } from '../command.ts';
import { idOf, oneOf } from '../option.schema.ts';
import { withHints } from '../with-hints.ts';

const returned = defineCommand({
  name: 'item returned',
  summary: 'record that the post brought a copy back; its status and its price stay',
  fields: {
    itemId: argument('the item, as its data matrix says', idOf('mi')),
    reason: option('--reason <code>', returnReasons.join(', '), oneOf(returnReasons)),
  },

  async run({ itemId, reason }, services) {
    const at = services.clock.now();
    return await withHints(services, async (hints) => {
      const report = { itemId, reason, by: services.actor };
      const { returned, ...marked } = await markReturned(report, { hints, at });
      return { ...marked, reason: returned.reason, returnedAt: returned.at.toISOString() };
    });
  },
  describe: ({ itemId, mailJobId, reason, isNew }) =>
    `${itemId} of ${mailJobId} came back: ${reason}${isNew ? '' : ', as was recorded before'}.`,
});

export const returnCommands = [returned];
