import { z } from 'zod';
import { addressFields, line } from '../fields.schema.ts';
import { adds, defineTool } from '../tool.ts';
import { AddressView } from '../views.schema.ts';

export const saveAddress = defineTool({
  name: 'save_address',
  title: 'Save an address',
  description:
    'Adds an entry to the address book; each call adds one, so look with list_addresses first. It changes no other entry and never becomes the default sender. Save only addresses that the user has given or confirmed.',
  annotations: adds,
  input: {
    kind: z.enum(['SENDER', 'RECIPIENT']),
    ...addressFields,
    label: line(100, 'A note to find it by.').optional(),
  },
  output: AddressView.shape,

  async run(input, { call }) {
    const data = await call('POST', '/v1/addresses', { body: input });
    return { summary: 'The address is saved.', data };
  },
});
