/** What may be uploaded; the specification's list. */
export const uploadMimeTypes = ['application/pdf', 'image/jpeg', 'image/png', 'image/heic', 'image/heif'] as const;
export type UploadMimeType = (typeof uploadMimeTypes)[number];
