import { z } from 'zod';
import { addressPath } from '#api/openapi/examples/account-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { deleteAddress } from '#common/addresses/change-addresses.ts';

export const deleteAddressRoute = defineRoute({
  method: 'delete',
  path: '/v1/addresses/{id}',
  scope: 'addresses',
  operationId: 'deleteAddress',
  summary: 'Delete an address book entry',
  description: 'Permanent. Mail jobs keep the address that they were created with.',
  params: pathId('adr'),
  responses: { 200: z.object({ id: z.string(), deleted: z.literal(true) }) },
  errors: ['NOT_FOUND'],
  example: { params: addressPath, responses: { 200: { ...addressPath, deleted: true } } },

  async handle({ params, credential }) {
    await deleteAddress(credential, params.id);
    return reply(200, { id: params.id, deleted: true });
  },
});
