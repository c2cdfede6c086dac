import { AddressPatch, AddressView, toAddressView } from '../../common/addresses/address.schema.ts';
import { changeAddress } from '../../common/addresses/change-addresses.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';

/** Changes the fields that are given, and no others. */
export const changeAddressRoute = defineRoute({
  method: 'patch',
  path: '/v1/addresses/{id}',
  scope: 'addresses',
  summary: 'Change an address book entry',
  params: pathId('adr'),
  body: AddressPatch,
  responses: { 200: AddressView },
  errors: ['NOT_FOUND'],

  async handle({ params, body, credential, now }) {
    return reply(200, toAddressView(await changeAddress(credential, params.id, body, now)));
  },
});
