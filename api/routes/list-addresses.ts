import { z } from 'zod';
import { addressKinds } from '../../common/addresses/address.model.ts';
import { AddressView, toAddressView } from '../../common/addresses/address.schema.ts';
import { listAddresses } from '../../common/addresses/read-addresses.ts';
import { lineOfText } from '../../common/text.schema.ts';
import { anAddress } from '../examples.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute, reply } from '../route.ts';

/** The caller's address book, newest first. */
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
    ...pageQuery({ maxLimit: 200, defaultLimit: 100 }),
  }),
  responses: { 200: pageOf(AddressView) },
  errors: [],
  example: { responses: { 200: { data: [anAddress], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    return reply(200, toPage(await listAddresses(credential, query, cursors), toAddressView));
  },
});
