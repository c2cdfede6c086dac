import { aTemplate, templateRequest } from '#api/openapi/examples/template-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { readTemplateForUse } from '#common/templates/read-templates.ts';
import { TemplateRequest } from '#common/templates/template.schema.ts';
import { TemplateView, toTemplateView } from '#common/templates/template.view.ts';

export const createTemplateRoute = defineRoute({
  method: 'post',
  path: '/v1/templates',
  scope: 'send',
  operationId: 'createTemplate',
  summary: 'Create a template',
  description:
    'A letter with variables, such as `((name))`, in place of a file. Faults in the text are named with their lines. At most 500 templates per organization and mode; `LIMIT_REACHED` otherwise.',
  body: TemplateRequest,
  responses: { 201: TemplateView },
  errors: ['LIMIT_REACHED'],
  example: { body: templateRequest, responses: { 201: aTemplate } },
  repeat: async ({ credential }, _services, id) => toTemplateView(await readTemplateForUse(credential, id), credential),

  async handle({ body, credential, now, claim }) {
    return reply(201, toTemplateView(await createTemplate(credential, body, now, claim), credential));
  },
});
