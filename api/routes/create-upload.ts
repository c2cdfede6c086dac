import { createUpload } from '../../common/uploads/create-upload.ts';
import { UploadAddress, UploadRequest } from '../../common/uploads/upload.schema.ts';
import { anUpload, uploadRequest } from '../examples.ts';
import { defineRoute, reply } from '../route.ts';

/** An address to which the client puts a file, and the key under which a mail job then names it. */
export const createUploadAddress = defineRoute({
  method: 'post',
  path: '/v1/uploads',
  scope: 'send',
  operationId: 'createUpload',
  summary: 'Get an address to upload a document to',
  description:
    'PUT the file to `uploadUrl` with exactly the `headers` of the answer; the object store refuses another type or size. Images are converted; PDF is best.',
  body: UploadRequest,
  responses: { 200: UploadAddress },
  errors: [],
  example: { body: uploadRequest, responses: { 200: anUpload } },

  async handle({ body, credential, now }, { store }) {
    return reply(200, await createUpload(credential, body, store, now));
  },
});
