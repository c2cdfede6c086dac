import { lineOfText } from '#common/fields/text.schema.ts';
import { findBatchedItem } from '#common/production/batches/find-batched-item.ts';
import { itemMarks, markItem } from '#common/production/operator/mark-item.ts';
import { readItemHistory, reprintItem } from '#common/production/operator/reprint-item.ts';
import { argument, defineCommand, describeFields, option } from '../command.ts';
import { idOf, oneOf } from '../option.schema.ts';
import { withHints } from '../with-hints.ts';

const itemId = argument('the item', idOf('mi'));

const show = defineCommand({
  name: 'item show',
  summary: 'show an item that is in a batch, and its history',
  fields: { itemId },

  async run({ itemId: id }) {
    const [{ item, job, batchId }, history] = await Promise.all([findBatchedItem(id), readItemHistory(id)]);
    const { status, failure = null, copySha256 = null } = item;
    const { organizationId, externalId = null } = job;
    const about = { itemId: id, status, failure, batchId, mailJobId: job._id, organizationId, externalId, copySha256 };
    return { ...about, history: history.map(({ at, kind, by, detail }) => ({ at, kind, by, detail })) };
  },
  describe({ history, failure, ...item }) {
    const facts = describeFields({
      Item: item.itemId,
      Status: item.status,
      ...(failure && { Failure: `${failure.code}: ${failure.message}` }),
      Batch: item.batchId,
      'Mail job': item.mailJobId,
      Organization: item.organizationId,
      'External id': item.externalId ?? 'none',
    });
    return [facts, ...history.map(({ at, kind, by }) => `${at.toISOString()}  ${kind} (${by})`)].join('\n');
  },
});

const mark = defineCommand({
  name: 'item mark',
  summary: 'record the result of an item; forward only',
  fields: {
    itemId,
    status: argument('printed, posted, delivered or failed (which refunds the item)', oneOf(itemMarks)),
    reason: option('--reason <text>', 'why it failed, shown to the sender of the letter', lineOfText(255).optional()),
  },
  check: ({ status, reason }) => ({
    reason: status === 'failed' && reason === undefined ? 'Say why it failed: its sender sees it.' : null,
  }),

  async run({ itemId: id, status, reason }, services) {
    const report = { itemId: id, mark: status, reason, by: services.actor };
    const at = services.clock.now();
    const { item, batchId } = await withHints(services, (hints) => markItem(report, { hints, at }));
    return { itemId: id, batchId, status: item.status };
  },
  describe: ({ itemId: id, status }) => `${id} is ${status} now.`,
});

const reprint = defineCommand({
  name: 'item reprint',
  summary: 'record that the copy of an item is printed again; its PDF is on its page in the admin area',
  fields: {
    itemId,
    reason: option('--reason <text>', 'why, shown to the sender of the letter', lineOfText(255)),
  },

  async run({ itemId: id, reason }, { actor, clock }) {
    const { count, batchId } = await reprintItem({ itemId: id, reason, by: actor }, clock.now());
    return { itemId: id, batchId, reprints: count };
  },
  describe: ({ itemId: id, reprints }) =>
    `Recorded reprint ${reprints} of ${id}. Its PDF is at /admin/press/items/${id} on the web host.`,
});

export const itemCommands = [show, mark, reprint];
