import { z } from 'zod';
import { uploadMimeTypes } from '../mime-types.ts';
import { lineOfText } from '../text.schema.ts';

/** 20 MB in the sense of the specification: 20 x 1024 x 1024, inclusive. */
export const maxUploadBytes = 20 * 1024 * 1024;

/** The body of POST /v1/uploads. */
export const UploadRequest = z
  .strictObject({
    filename: lineOfText(255),
    mimeType: z.enum(uploadMimeTypes),
    sizeBytes: z
      .int()
      .min(1)
      .max(maxUploadBytes)
      .describe('Exactly the size of the file: the store refuses any other.'),
  })
  .meta({ id: 'UploadRequest' });
export type UploadRequest = z.infer<typeof UploadRequest>;

/** The answer of POST /v1/uploads. */
export const UploadAddress = z
  .object({
    s3Key: z.string().describe('Names the file in a mail job.'),
    uploadUrl: z.url(),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()).describe('To be sent with the file, exactly so.'),
    expiresAt: z.iso.datetime().describe('Until when the file may be put there.'),
    usableUntil: z.iso.datetime().describe('Until when a mail job may name it.'),
  })
  .meta({ id: 'Upload' });
export type UploadAddress = z.infer<typeof UploadAddress>;
