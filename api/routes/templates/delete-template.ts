import { z } from 'zod';
import { templateId } from '#api/openapi/examples/template-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { deleteTemplate } from '#common/templates/change-templates.ts';

export const deleteTemplateRoute = defineRoute({
  method: 'delete',
  path: '/v1/templates/{id}',
  scope: 'send',
  operationId: 'deleteTemplate',
  summary: 'Delete a template',
  description: 'Permanent. Letters that were made of it stay as they are.',
  params: pathId('tpl'),
  responses: { 200: z.object({ id: z.string(), deleted: z.literal(true) }) },
  errors: ['NOT_FOUND'],
  example: { params: { id: templateId }, responses: { 200: { id: templateId, deleted: true } } },

  async handle({ params, credential }) {
    await deleteTemplate(credential, params.id);
    return reply(200, { id: params.id, deleted: true });
  },
});
