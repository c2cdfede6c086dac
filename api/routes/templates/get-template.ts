import { z } from 'zod';
import { aTemplate, templateId } from '#api/openapi/examples/template-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { readTemplateForUse } from '#common/templates/read-templates.ts';
import { TemplateView, toTemplateView } from '#common/templates/template.view.ts';

const maxVersion = 1_000_000;

export const getTemplate = defineRoute({
  method: 'get',
  path: '/v1/templates/{id}',
  scope: 'read',
  operationId: 'getTemplate',
  summary: 'Read a template',
  description: 'The latest version, or the one that `version` names.',
  params: pathId('tpl'),
  query: z.strictObject({
    version: z
      .string()
      .regex(/^[0-9]+$/, 'Must be a whole number.')
      .transform(Number)
      .pipe(z.int().min(1).max(maxVersion))
      .optional()
      .meta({ documentedAs: { type: 'integer', minimum: 1, maximum: maxVersion } }),
  }),
  responses: { 200: TemplateView },
  errors: ['NOT_FOUND'],
  example: { params: { id: templateId }, responses: { 200: aTemplate } },

  async handle({ params, query, credential }) {
    return reply(200, toTemplateView(await readTemplateForUse(credential, params.id, query.version), credential));
  },
});
