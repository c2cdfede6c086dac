import { aTemplate, templateId } from '#api/openapi/examples/template-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { changeTemplate } from '#common/templates/change-templates.ts';
import { TemplatePatch } from '#common/templates/template.schema.ts';
import { TemplateView, toTemplateView } from '#common/templates/template.view.ts';

export const changeTemplateRoute = defineRoute({
  method: 'patch',
  path: '/v1/templates/{id}',
  scope: 'send',
  operationId: 'changeTemplate',
  summary: 'Change a template',
  description:
    'Adds a version with the given fields; absent fields stay unchanged. Letters that were made of earlier versions stay as they are. `CONFLICT` when `basedOn` is not the latest version, `LIMIT_REACHED` after 10,000 versions.',
  params: pathId('tpl'),
  body: TemplatePatch,
  responses: { 200: TemplateView },
  errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_REACHED'],
  example: {
    params: { id: templateId },
    body: { name: 'First reminder', basedOn: 1 },
    responses: { 200: { ...aTemplate, name: 'First reminder', version: 2 } },
  },

  async handle({ params, body, credential, now }) {
    return reply(200, toTemplateView(await changeTemplate(credential, params.id, body, now), credential));
  },
});
