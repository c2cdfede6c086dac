import { z } from 'zod';
import { listPageOf, listPageQuery, toListPage } from '#api/list-page.ts';
import { anAddress } from '#api/openapi/examples/account-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { addressKinds } from '#common/addresses/address.model.ts';
import { AddressView, toAddressView } from '#common/addresses/address.schema.ts';
import { listAddresses } from '#common/addresses/read-addresses.ts';
import { lineOfText } from '#common/fields/text.schema.ts';

export const listAddressesRoute = defineRoute({
  method: 'get',
  path: '/v1/addresses',
  scope: 'addresses',
  operationId: 'listAddresses',
  summary: 'List address book entries',
  description: 'Newest first.',
  query: z.strictObject({
    kind: z.enum(addressKinds).optional(),
    q: lineOfText(100).optional(),
    ...listPageQuery({ maxLimit: 200, defaultLimit: 100 }),
  }),
  responses: { 200: listPageOf(AddressView) },
  errors: [],
  example: { responses: { 200: { data: [anAddress], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    return reply(
      200,
      toListPage(await listAddresses(credential, query, cursors), (row) => toAddressView(row, credential)),
    );
  },
});
