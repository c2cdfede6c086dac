import { z } from 'zod';
import { aTemplatePreview, mergeVariables, templateId } from '#api/openapi/examples/template-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { MergeVariables } from '#common/mail-jobs/model/mail-request.schema.ts';
import { signUrl } from '#common/platform/s3/temporary-objects.ts';
import { previewTemplate } from '#common/templates/preview-template.ts';
import { readTemplateForUse } from '#common/templates/read-templates.ts';
import { TemplatePreview } from '#common/templates/template.view.ts';

const PreviewRequest = z
  .strictObject({
    version: z.int().min(1).max(1_000_000).nullish().describe('The latest when absent.'),
    mergeVariables: MergeVariables.nullish(),
  })
  .meta({ id: 'TemplatePreviewRequest' });

export const previewTemplateRoute = defineRoute({
  method: 'post',
  path: '/v1/templates/{id}/preview',
  scope: 'send',
  operationId: 'previewTemplate',
  summary: 'Preview a template with sample data',
  description:
    'Free, in test and live mode. The letter is stored as an upload, which is removed after 26 hours. Variables without a value show as `((name))`. `SERVICE_UNAVAILABLE` when the letter is not ready within 20 s, `RATE_LIMITED` while 500 letters of your organization wait to be typeset.',
  params: pathId('tpl'),
  body: PreviewRequest,
  responses: { 200: TemplatePreview },
  errors: ['NOT_FOUND', 'LIMIT_REACHED', 'SERVICE_UNAVAILABLE'],
  example: { params: { id: templateId }, body: { mergeVariables }, responses: { 200: aTemplatePreview } },
  repeat: 'harmless',

  async handle({ params, body, credential, now }, services) {
    const version = await readTemplateForUse(credential, params.id, body.version);
    const previewed = await previewTemplate(credential, version, body.mergeVariables ?? {}, services, now);
    const { letter, missing, unused } = previewed;
    const { url, expiresAt } = await signUrl(letter.s3Key, { store: services.store, at: now });
    return reply(200, {
      ...{ templateId: version.templateId, version: version.version, url, expiresAt: expiresAt.toISOString() },
      ...{ pages: letter.pageCount, missingVariables: missing, unusedVariables: unused },
    });
  },
});
