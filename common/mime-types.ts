/** The types of files that may be uploaded, as listed in the specification. */
export const uploadMimeTypes = ['application/pdf', 'image/jpeg', 'image/png', 'image/heic', 'image/heif'] as const;
export type UploadMimeType = (typeof uploadMimeTypes)[number];

/** The types of files that list the letters of a bulk. */
export const bulkMimeTypes = [
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/zip',
] as const;
export type BulkMimeType = (typeof bulkMimeTypes)[number];

/** Returns whether a file of this type can be printed. */
export function isUploadMimeType(mimeType: UploadMimeType | BulkMimeType): mimeType is UploadMimeType {
  return uploadMimeTypes.some((each) => each === mimeType);
}
