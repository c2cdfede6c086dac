import type { BulkView } from '#common/bulk/model/bulk.view.ts';
import { toFormatView } from '#common/bulk/model/bulk-format.view.ts';
import type { BulkRowView } from '#common/bulk/model/bulk-row.view.ts';
import { anUpload, aPreview } from './document-examples.ts';
import { byKey, createdAt, mailJobId } from './shared-examples.ts';

// The bulk of the documentation: a list of members who all get the same letter of three pages.

export const bulkId = 'blk_01m7ynaxr6fqa9hh2q3w4e5r6t';
export const bulkPath = { id: bulkId };

export const bulkUploadRequest = { filename: 'members.csv', mimeType: 'text/csv', sizeBytes: 96_412 } as const;
export const aBulkUpload = { ...anUpload, headers: { 'content-type': 'text/csv' } };
export const bulkRequest = {
  file: { s3Key: anUpload.s3Key },
  files: [{ s3Key: anUpload.s3Key }],
  serviceType: 'standard' as const,
};

export const bulkMapping = { name: ['Voornaam', 'Naam'], line1: 'Straat', zip: 'Postcode', city: 'Gemeente' };

const mapped = {
  ...{ company: [], box: [], line2: [], state: [], reference: ['Lidnummer'], file: [] },
  ...{ variables: {}, separators: {}, defaultCountry: null },
};

export const aValidatingBulk = {
  bulkId,
  status: 'validating',
  mode: 'test',
  failure: null,
  pause: null,
  file: { filename: 'members.csv', sizeBytes: 96_412 },
  format: null,
  columns: [],
  mapping: null,
  missingFields: [],
  ...{ unusedColumns: [], undecidedColumns: [], ignoredColumns: [] },
  serviceType: 'standard',
  zone: null,
  color: false,
  doubleSided: true,
  acknowledgmentReceipt: false,
  scheduledDropAt: null,
  templateId: null,
  rows: { total: 0, valid: 0, faulty: 0, duplicates: 0, warned: 0 },
  revision: 0,
  currency: 'EUR',
  totalCents: null,
  prices: [],
  progress: { sent: 0, sentCents: 0, refused: 0, cancelled: 0, notCancelled: 0 },
  rowsRemoved: false,
  ...byKey,
  confirmedAt: null,
  completedAt: null,
  createdAt,
  updatedAt: createdAt,
} satisfies BulkView;

export const aReadyBulk = {
  ...aValidatingBulk,
  status: 'ready',
  format: toFormatView({ kind: 'csv', encoding: 'windows-1252', separator: ';', headerRow: 1 }),
  columns: ['Lidnummer', 'Voornaam', 'Naam', 'Straat', 'Postcode', 'Gemeente', 'Land'],
  mapping: {
    ...mapped,
    ...{ name: ['Voornaam', 'Naam'], line1: ['Straat'], zip: ['Postcode'], city: ['Gemeente'], country: ['Land'] },
  },
  rows: { total: 1_204, valid: 1_204, faulty: 0, duplicates: 2, warned: 2 },
  totalCents: 234_780,
  prices: [{ zone: 'NATIONAL', pages: 3, letters: 1_204, unitCents: 195 }],
  updatedAt: '2026-03-02T09:30:02.000Z',
} satisfies BulkView;

const confirmedAt = '2026-03-02T09:35:00.000Z';
export const aSendingBulk = {
  ...aReadyBulk,
  status: 'sending',
  progress: { ...aReadyBulk.progress, sent: 512, sentCents: 99_840 },
  confirmedAt,
  updatedAt: '2026-03-02T09:35:01.000Z',
} satisfies BulkView;
export const aPausedBulk = {
  ...aSendingBulk,
  status: 'paused',
  pause: { code: 'REQUESTED', message: 'Paused on request.' },
} satisfies BulkView;
export const aCancelledBulk = {
  ...aSendingBulk,
  status: 'cancelled',
  completedAt: '2026-03-02T09:36:00.000Z',
} satisfies BulkView;

export const aFaultyRow = {
  row: 18,
  status: 'faulty',
  cells: ['1017', 'Ada', 'Peeters', 'Rue Haute 1', '100', 'Bruxelles', 'BE'],
  faults: [
    {
      column: 'Postcode',
      code: 'belgian_zip',
      message: 'A Belgian postal code has four digits, 1000 to 9999. Correct it.',
    },
  ],
  warnings: [],
  priceCents: null,
  mailJobId: null,
} satisfies BulkRowView;

export const aBulkRowPreview = { ...aPreview, row: 2, pages: 3 };

export const aResultsCsv = `bluejay row,bluejay status,bluejay mailJobId,bluejay letterStatus,bluejay priceCents,bluejay trackingNumber,bluejay remarks,Naam\r
2,sent,${mailJobId},queued,195,,,Ada Peeters\r
`;
export const aFaultsCsv = `Naam,Postcode,bluejay row,bluejay faults\r
Ada Peeters,100,18,"Postcode: A Belgian postal code has four digits, 1000 to 9999. Correct it."\r
`;
