import { z } from 'zod';
import { aTemplateSummary, templateId } from '#api/openapi/examples/template-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { listVersions } from '#common/templates/read-templates.ts';
import { TemplateVersionSummary, toVersionSummary } from '#common/templates/template.view.ts';

const { updatedAt: _, ...aVersion } = aTemplateSummary;

export const listTemplateVersions = defineRoute({
  method: 'get',
  path: '/v1/templates/{id}/versions',
  scope: 'read',
  operationId: 'listTemplateVersions',
  summary: 'List the versions of a template',
  description: 'The latest 100, newest first, without their texts. `GET /v1/templates/{id}?version=` reads one.',
  params: pathId('tpl'),
  responses: { 200: z.object({ data: z.array(TemplateVersionSummary) }).meta({ id: 'TemplateVersions' }) },
  errors: ['NOT_FOUND'],
  example: { params: { id: templateId }, responses: { 200: { data: [aVersion] } } },

  async handle({ params, credential }) {
    return reply(200, {
      data: (await listVersions(credential, params.id)).map((row) => toVersionSummary(row, credential)),
    });
  },
});
