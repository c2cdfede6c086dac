import { AddressRequest, AddressView, toAddressView } from '../../common/addresses/address.schema.ts';
import { createAddress } from '../../common/addresses/change-addresses.ts';
import { defineRoute, reply } from '../route.ts';

/** A new entry of the address book. */
export const createAddressRoute = defineRoute({
  method: 'post',
  path: '/v1/addresses',
  scope: 'addresses',
  summary: 'Add an address book entry',
  body: AddressRequest,
  responses: { 201: AddressView },
  errors: [],

  async handle({ body, credential, now }) {
    return reply(201, toAddressView(await createAddress(credential, body, now)));
  },
});
