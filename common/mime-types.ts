/** The types of files that may be uploaded, as listed in the specification. */
export const uploadMimeTypes = ['application/pdf', 'image/jpeg', 'image/png', 'image/heic', 'image/heif'] as const;
export type UploadMimeType = (typeof uploadMimeTypes)[number];
