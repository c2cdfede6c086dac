import { addressRequest, anAddress } from '#api/openapi/examples/account-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { AddressRequest, AddressView, toAddressView } from '#common/addresses/address.schema.ts';
import { createAddress } from '#common/addresses/change-addresses.ts';
import { readAddress } from '#common/addresses/read-addresses.ts';

export const createAddressRoute = defineRoute({
  method: 'post',
  path: '/v1/addresses',
  scope: 'addresses',
  operationId: 'createAddress',
  summary: 'Add an address book entry',
  description: 'With `isDefault`, the entry replaces the current default of its kind.',
  body: AddressRequest,
  responses: { 201: AddressView },
  errors: [],
  example: { body: addressRequest, responses: { 201: anAddress } },
  repeat: async ({ credential }, _services, id) => toAddressView(await readAddress(credential, id), credential),

  async handle({ body, credential, now, claim }) {
    return reply(201, toAddressView(await createAddress(credential, body, now, claim), credential));
  },
});
