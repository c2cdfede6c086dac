import { z } from 'zod';
import { lineOfText } from '../fields/text.schema.ts';
import { uploadMimeTypes } from '../mime-types.ts';

/** 20 MB as the specification means it: 20 x 1024 x 1024, inclusive. */
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

/** The response of POST /v1/uploads. */
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
