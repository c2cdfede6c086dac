import { addressPath, anAddress } from '#api/openapi/examples/account-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { AddressView, toAddressView } from '#common/addresses/address.schema.ts';
import { readAddress } from '#common/addresses/read-addresses.ts';

export const getAddressRoute = defineRoute({
  method: 'get',
  path: '/v1/addresses/{id}',
  scope: 'addresses',
  operationId: 'getAddress',
  summary: 'Read an address book entry',
  params: pathId('adr'),
  responses: { 200: AddressView },
  errors: ['NOT_FOUND'],
  example: { params: addressPath, responses: { 200: anAddress } },

  async handle({ params, credential }) {
    return reply(200, toAddressView(await readAddress(credential, params.id), credential));
  },
});
