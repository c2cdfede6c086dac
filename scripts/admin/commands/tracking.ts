import { z } from 'zod';
import { listReceiptForms } from '#common/production/tracking/list-receipt-forms.ts';
import { recordTracking } from '#common/production/tracking/record-tracking.ts';
import { argument, defineCommand, option } from '../command.ts';
import { idOf } from '../option.schema.ts';

const recordCommand = defineCommand({
  name: 'tracking record',
  summary: 'record the tracking number on the label of a registered item',
  fields: {
    itemId: argument('the item', idOf('mi')),
    label: argument('the number on its label, in quotes if it has spaces', z.string()),
    replace: option('--replace', 'replace the number that the item has', z.boolean().optional()),
  },

  async run({ itemId, label, replace }, { clock, actor }) {
    const { mailJobId, tracking, previousNumber, isChanged } = await recordTracking(
      { itemId, label, replace },
      actor,
      clock.now(),
    );
    return { itemId, mailJobId, ...tracking, previousNumber, isChanged };
  },
  describe({ itemId, number, scheme, previousNumber, isChanged }) {
    if (!isChanged) return `${itemId} has ${number} already.`;
    return `${itemId} has ${number} (${scheme})${previousNumber === null ? '' : ` instead of ${previousNumber}`}.`;
  },
});

const receiptsCommand = defineCommand({
  name: 'tracking receipts',
  summary: 'list the printed registered items that need the form for an acknowledgment of receipt',
  fields: {},

  async run() {
    const { forms, isMore } = await listReceiptForms();
    return { forms: forms.map(({ dropAt, ...form }) => ({ ...form, dropAt: dropAt.toISOString() })), isMore };
  },
  describe({ forms, isMore }) {
    if (forms.length === 0) return 'No printed item needs a form.';
    const lines = forms.map(({ itemId, trackingNumber, recipient: { name, zip, city, country } }) =>
      [itemId, trackingNumber ?? 'no label yet', name, `${zip} ${city}`, country].join('  '),
    );
    return [...lines, ...(isMore ? ['There are more: post these first.'] : [])].join('\n');
  },
});

export const trackingCommands = [recordCommand, receiptsCommand];
