import { z } from 'zod';
import { deleteAddress } from '../../common/addresses/change-addresses.ts';
import { addressPath } from '../examples.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';

/** Deletes an entry for good. */
export const deleteAddressRoute = defineRoute({
  method: 'delete',
  path: '/v1/addresses/{id}',
  scope: 'addresses',
  operationId: 'deleteAddress',
  summary: 'Delete an address book entry',
  description: 'For good. Mail jobs keep the address as it was when they were made.',
  params: pathId('adr'),
  responses: { 200: z.object({ id: z.string(), deleted: z.literal(true) }) },
  errors: ['NOT_FOUND'],
  example: { params: addressPath, responses: { 200: { ...addressPath, deleted: true } } },

  async handle({ params, credential }) {
    await deleteAddress(credential, params.id);
    return reply(200, { id: params.id, deleted: true });
  },
});
