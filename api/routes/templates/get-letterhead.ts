import { aLetterhead } from '#api/openapi/examples/template-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { LetterheadView, toLetterheadView } from '#common/templates/letterhead.schema.ts';
import { readLetterhead } from '#common/templates/letterheads.ts';

export const getLetterhead = defineRoute({
  method: 'get',
  path: '/v1/templates/letterhead',
  scope: 'read',
  operationId: 'getLetterhead',
  summary: 'Read the letterhead',
  description: 'Your organization has one letterhead, for letters from templates in both modes.',
  responses: { 200: LetterheadView },
  errors: [],
  example: { responses: { 200: aLetterhead } },

  async handle({ credential }) {
    return reply(200, toLetterheadView(await readLetterhead(credential.organizationId)));
  },
});
