import { z } from 'zod';
import { uploadMimeTypes } from '#common/mime-types.ts';
import { line } from '../fields.schema.ts';
import { adds, defineTool } from '../tool.ts';

export const createUploadLink = defineTool({
  name: 'create_upload_link',
  title: 'Create an upload URL',
  description:
    'Creates a URL for one file of a letter, up to 20 MB. Upload the file yourself: HTTP PUT to uploadUrl with exactly the returned headers and exactly sizeBytes bytes. Then use the s3Key in check_document, prepare_letter and send_letter. PDF works best; images become a page each.',
  annotations: adds,
  input: {
    filename: line(255, 'Such as invoice.pdf.'),
    mimeType: z.enum(uploadMimeTypes),
    sizeBytes: z
      .int()
      .min(1)
      .max(20 * 1024 * 1024)
      .describe('Exactly the size of the file.'),
  },
  output: {
    s3Key: z.string(),
    uploadUrl: z.string(),
    method: z.string(),
    headers: z.record(z.string(), z.string()),
    expiresAt: z.string().describe('Until when the file may be uploaded.'),
    usableUntil: z.string().describe('Until when a letter may name it.'),
  },

  async run(input, { call }) {
    const data = await call('POST', '/v1/uploads', { body: input });
    return { summary: 'Upload the file now, by PUT with these headers.', data };
  },
});
