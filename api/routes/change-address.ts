import { AddressPatch, AddressView, toAddressView } from '../../common/addresses/address.schema.ts';
import { changeAddress } from '../../common/addresses/change-addresses.ts';
import { addressPath, anAddress } from '../examples.ts';
import { pathId } from '../path-id.ts';
import { defineRoute, reply } from '../route.ts';

/** Changes the fields that are given, and no others. */
export const changeAddressRoute = defineRoute({
  method: 'patch',
  path: '/v1/addresses/{id}',
  scope: 'addresses',
  operationId: 'changeAddress',
  summary: 'Change an address book entry',
  description: 'A merge patch (RFC 7396): what is absent stays; `null` clears `line2` and `label`.',
  params: pathId('adr'),
  body: AddressPatch,
  responses: { 200: AddressView },
  errors: ['NOT_FOUND'],
  example: { params: addressPath, body: { label: 'Ada, at home' }, responses: { 200: anAddress } },

  async handle({ params, body, credential, now }) {
    return reply(200, toAddressView(await changeAddress(credential, params.id, body, now)));
  },
});
