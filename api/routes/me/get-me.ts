import { aCaller } from '#api/openapi/examples/account-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { CallerView, describeCaller } from '#common/oauth/caller.view.ts';

export const getMe = defineRoute({
  method: 'get',
  path: '/v1/me',
  scope: 'any',
  operationId: 'getMe',
  summary: 'Read who you are',
  description: 'The organization that pays, and what the API key or access token of the request may do.',
  responses: { 200: CallerView },
  errors: [],
  example: { responses: { 200: aCaller } },

  async handle({ credential }) {
    return reply(200, await describeCaller(credential));
  },
});
