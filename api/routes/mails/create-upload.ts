import { anUpload, uploadRequest } from '#api/openapi/examples/document-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { createUpload } from '#common/uploads/create-upload.ts';
import { UploadAddress, UploadRequest } from '#common/uploads/upload.schema.ts';

export const createUploadAddress = defineRoute({
  method: 'post',
  path: '/v1/uploads',
  scope: 'send',
  operationId: 'createUpload',
  summary: 'Create an upload URL for a document',
  description:
    'PUT the file to `uploadUrl` with exactly the returned `headers`. The object store refuses any other type or size. Images are converted to PDF, so PDF works best. `LIMIT_REACHED` means that the uploads and print files of your organization in this mode would exceed the storage that the operator allows.',
  body: UploadRequest,
  responses: { 200: UploadAddress },
  errors: ['LIMIT_REACHED'],
  example: { body: uploadRequest, responses: { 200: anUpload } },
  repeat: 'harmless',

  async handle({ body, credential, now }, { store, maxStoredBytes }) {
    const storage = { store, maxStoredBytes: maxStoredBytes[credential.mode] };
    return reply(200, await createUpload(credential, body, storage, now));
  },
});
