import type { PreflightView } from '#common/mail-jobs/preflight/preflight.view.ts';
import { expiresAt, itemId, organizationId, temporaryUrl } from './shared-examples.ts';

export const s3Key = `u/${organizationId}/k5x2v7q3n6a4c3d2`;
export const uploadRequest = { filename: 'invoice.pdf', mimeType: 'application/pdf', sizeBytes: 48_213 } as const;
export const anUpload = {
  s3Key,
  uploadUrl: `https://files.example.com/bluejay/${s3Key}?X-Amz-Expires=600&X-Amz-Signature=0a1b2c`,
  method: 'PUT',
  headers: { 'content-type': 'application/pdf' },
  expiresAt: '2026-03-02T09:39:00.000Z',
  usableUntil: '2026-03-03T09:29:00.000Z',
} as const;

export const aProof = {
  url: temporaryUrl(`${itemId}.pdf`),
  expiresAt,
  itemId,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  pages: 3,
};
export const aPreview = { url: temporaryUrl(`${itemId}-1.png`), expiresAt };

export const preflightId = 'pf_01m7ynaxr6fqa9hh3dsy4mw9wk';
export const preflightRequest = { files: [{ s3Key }] };
export const aPreflight = {
  preflightId,
  status: 'done',
  canBePrinted: true,
  letter: { pages: 3, sheets: 2, doubleSided: true, weightGrams: 15, envelope: 'DL', envelopes: 1, addressOn: 'page' },
  findings: [
    {
      code: 'low_resolution',
      severity: 'warning',
      page: 2,
      boxMm: { x: 25, y: 60.5, width: 80, height: 53.3 },
      message:
        'Page 2 has an image of 96 dots per inch: 80.0 x 53.3 mm, 25.0 mm from the left and 60.5 mm from the top. Below 150 it looks blurred or jagged on paper.',
      fix: 'Use a larger image, or scan with at least 200 dots per inch.',
    },
  ],
  overlayUrl: temporaryUrl(`${preflightId}.png`),
  expiresAt: '2026-03-03T09:30:00.000Z',
} satisfies PreflightView;
