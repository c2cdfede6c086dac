import { z } from 'zod';
import { listPageOf, listPageQuery, toListPage } from '#api/list-page.ts';
import { aTemplateSummary } from '#api/openapi/examples/template-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { listTemplates } from '#common/templates/read-templates.ts';
import { TemplateSummary, toTemplateSummary } from '#common/templates/template.view.ts';

export const listTemplatesRoute = defineRoute({
  method: 'get',
  path: '/v1/templates',
  scope: 'read',
  operationId: 'listTemplates',
  summary: 'List templates',
  description: 'Newest first, without their texts.',
  query: z.strictObject(listPageQuery({ maxLimit: 200, defaultLimit: 100 })),
  responses: { 200: listPageOf(TemplateSummary) },
  errors: [],
  example: { responses: { 200: { data: [aTemplateSummary], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    return reply(
      200,
      toListPage(await listTemplates(credential, query, cursors), (row) => toTemplateSummary(row, credential)),
    );
  },
});
