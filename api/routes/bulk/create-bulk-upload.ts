import { aBulkUpload, bulkUploadRequest } from '#api/openapi/examples/bulk-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { BulkUploadRequest } from '#common/bulk/model/bulk-request.schema.ts';
import { createUpload } from '#common/uploads/create-upload.ts';
import { UploadAddress } from '#common/uploads/upload.schema.ts';

export const createBulkUpload = defineRoute({
  method: 'post',
  path: '/v1/bulk/uploads',
  scope: 'send',
  operationId: 'createBulkUpload',
  summary: 'Create an upload URL for a list',
  description:
    'PUT the CSV, XLSX or ZIP file to `uploadUrl` with exactly the returned `headers`, then use its `s3Key` in `POST /v1/bulk` within 24 hours. The document that all letters share is uploaded by `POST /v1/uploads`.',
  body: BulkUploadRequest,
  responses: { 200: UploadAddress },
  errors: ['LIMIT_REACHED'],
  example: { body: bulkUploadRequest, responses: { 200: aBulkUpload } },
  repeat: 'harmless',

  async handle({ body, credential, now }, { store, maxStoredBytes }) {
    const storage = { store, maxStoredBytes: maxStoredBytes[credential.mode] };
    return reply(200, await createUpload(credential, body, storage, now));
  },
});
