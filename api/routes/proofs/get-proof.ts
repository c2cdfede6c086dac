import { z } from 'zod';
import { aProof } from '#api/openapi/examples/document-examples.ts';
import { mailJobPath } from '#api/openapi/examples/shared-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { readMailJob } from '#common/mail-jobs/read/read-mail-jobs.ts';

/** The query of the routes that show the copy for one recipient. */
export const copyQuery = {
  itemId: z.string().min(1).max(100).optional().describe('The item of a recipient. May be absent when there is one.'),
};

export const signedUrlFields = {
  url: z.string().describe('Works without a key, for five minutes. Ask again for another one.'),
  expiresAt: z.iso.datetime(),
};

export const getProof = defineRoute({
  method: 'get',
  path: '/v1/mails/{id}/proof',
  scope: 'read',
  operationId: 'getProof',
  summary: 'Get the copy of a letter as it goes to press',
  description:
    'A PDF of exactly the bytes that are printed for one recipient: with the address in the window or on a cover page, and the mark of each sheet. Answers `CONFLICT` until the letter is rendered, a few seconds after it was sent.',
  params: pathId('mj'),
  query: z.strictObject(copyQuery),
  responses: {
    200: z
      .object({
        ...signedUrlFields,
        itemId: z.string(),
        sha256: z.string().describe('Of the PDF, in hexadecimal.'),
        pages: z.int().describe('A cover page and its blank back included.'),
      })
      .meta({ id: 'Proof' }),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  example: { params: mailJobPath, query: {}, responses: { 200: aProof } },

  async handle({ params, query, credential, now }, { proofs }) {
    const job = await readMailJob(credential, params.id);
    const proof = await proofs.signProof(job, query.itemId, now);
    return reply(200, { ...proof, expiresAt: proof.expiresAt.toISOString() });
  },
});
