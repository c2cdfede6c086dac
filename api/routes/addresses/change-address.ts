import { addressPath, anAddress } from '#api/openapi/examples/account-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { AddressPatch, AddressView, toAddressView } from '#common/addresses/address.schema.ts';
import { changeAddress } from '#common/addresses/change-addresses.ts';

export const changeAddressRoute = defineRoute({
  method: 'patch',
  path: '/v1/addresses/{id}',
  scope: 'addresses',
  operationId: 'changeAddress',
  summary: 'Change an address book entry',
  description: 'JSON merge patch (RFC 7396): absent fields stay unchanged, `null` clears `line2` and `label`.',
  params: pathId('adr'),
  body: AddressPatch,
  responses: { 200: AddressView },
  errors: ['NOT_FOUND'],
  example: { params: addressPath, body: { label: 'Ada, at home' }, responses: { 200: anAddress } },

  async handle({ params, body, credential, now }) {
    return reply(200, toAddressView(await changeAddress(credential, params.id, body, now), credential));
  },
});
