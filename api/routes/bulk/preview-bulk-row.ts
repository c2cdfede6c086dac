import { z } from 'zod';
import { aBulkRowPreview, bulkPath } from '#api/openapi/examples/bulk-examples.ts';
import { pathId } from '#api/requests/path-id.ts';
import { defineRoute, reply } from '#api/route.ts';
import { findRowLetter } from '#common/bulk/preview/row-letter.ts';
import { readBulk } from '#common/bulk/read/read-bulk.ts';
import { countCopyPages } from '#common/mail-jobs/proof/item-copy.ts';
import { signedUrlFields } from '../proofs/get-proof.ts';

export const previewBulkRow = defineRoute({
  method: 'get',
  path: '/v1/bulk/{id}/rows/{row}/preview',
  scope: 'read',
  operationId: 'previewBulkRow',
  summary: 'Preview the letter of a row',
  description:
    'The letter of a row as it will be printed, with its address, letterhead and values: a PDF, or with `page` a PNG of one page. Free. Answers `CONFLICT` unless the status of the bulk is `ready` or `needs_attention`, `VALIDATION_ERROR` with every fault of a row that has any, and `SERVICE_UNAVAILABLE` when the letter is not rendered within 20 s.',
  params: pathId('blk').extend({
    row: z
      .string()
      .regex(/^[1-9]\d{0,6}$/)
      .describe('The number of the row in the file. The header is row 1.'),
  }),
  query: z.strictObject({
    page: z.coerce
      .number<string>()
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('A page of the letter, from 1: a PNG at about 100 dots per inch. Absent: a PDF of the whole letter.'),
  }),
  responses: {
    200: z
      .object({
        ...signedUrlFields,
        row: z.int(),
        pages: z.int().describe('A cover page and its blank back included.'),
      })
      .meta({ id: 'BulkRowPreview' }),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_REACHED', 'SERVICE_UNAVAILABLE'],
  example: { params: { ...bulkPath, row: '2' }, query: {}, responses: { 200: aBulkRowPreview } },

  async handle({ params, query: { page }, credential, now }, services) {
    const { proofs } = services;
    const row = Number(params.row);
    const letter = await findRowLetter(await readBulk(credential, params.id), row, services, now);
    const { url, expiresAt } =
      page === undefined
        ? await proofs.signUnsent(letter, now)
        : await proofs.signPicture(letter, undefined, page, now);
    const pages = letter.printFile === null ? 0 : countCopyPages(letter.printFile);
    return reply(200, { url, expiresAt: expiresAt.toISOString(), row, pages });
  },
});
