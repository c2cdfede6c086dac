import { AddressRequest, AddressView, toAddressView } from '../../common/addresses/address.schema.ts';
import { createAddress } from '../../common/addresses/change-addresses.ts';
import { addressRequest, anAddress } from '../examples.ts';
import { defineRoute, reply } from '../route.ts';

/** A new entry of the address book. */
export const createAddressRoute = defineRoute({
  method: 'post',
  path: '/v1/addresses',
  scope: 'addresses',
  operationId: 'createAddress',
  summary: 'Add an address book entry',
  description: 'With `isDefault` it takes the place of the former default of its kind.',
  body: AddressRequest,
  responses: { 201: AddressView },
  errors: [],
  example: { body: addressRequest, responses: { 201: anAddress } },

  async handle({ body, credential, now }) {
    return reply(201, toAddressView(await createAddress(credential, body, now)));
  },
});
