import { z } from 'zod';
import { aPreview } from '#api/openapi/examples/document-examples.ts';
import { mailJobPath } from '#api/openapi/examples/shared-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { readMailJob } from '#common/mail-jobs/read/read-mail-jobs.ts';
import { copyQuery, signedUrlFields } from './get-proof.ts';

export const getPreview = defineRoute({
  method: 'get',
  path: '/v1/mails/{id}/preview',
  scope: 'read',
  operationId: 'getPreview',
  summary: 'Get a picture of one page of a letter',
  description:
    'A PNG of one page of the copy for one recipient, at about 100 dots per inch. Page 1 is the cover page if the letter has one.',
  params: pathId('mj'),
  query: z.strictObject({
    ...copyQuery,
    page: z.coerce.number<string>().int().min(1).max(10_000).default(1).describe('Page of the copy, from 1.'),
  }),
  responses: { 200: z.object(signedUrlFields).meta({ id: 'Preview' }) },
  errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  example: { params: mailJobPath, responses: { 200: aPreview } },

  async handle({ params, query: { itemId, page }, credential, now }, { proofs }) {
    const job = await readMailJob(credential, params.id);
    const { url, expiresAt } = await proofs.signPicture(job, itemId, page, now);
    return reply(200, { url, expiresAt: expiresAt.toISOString() });
  },
});
