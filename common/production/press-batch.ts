import type { PaperBatch, PaperItem } from '#common/documents/papers/paper-batch.ts';

/** A closed batch as its provider sees it: as its papers do. */
export type PressBatch = PaperBatch;

/** One copy of a batch. */
export type PressItem = PaperItem & {
  mailJobId: string;
  sizeBytes: number;
  sha256: string;
};
