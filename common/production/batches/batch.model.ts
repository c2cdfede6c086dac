import mongoose from 'mongoose';
import { formats, type SchemeName } from '#common/documents/sheet/envelope-schemes.ts';
import { addDueIndex, dueField } from '#common/platform/due-work/due.schema.ts';
import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import * as row from '#common/platform/mongo/row.ts';
import { providerNames, serviceTypes, zones } from '#common/services.ts';

/**
 * `open`: collects items. `closed`: complete, and to be handed over. `submitting`: is being handed over, or its worker
 * died meanwhile. `at_press`: the provider has it. `needs_operator`: only a person can tell whether it was printed.
 * `printed`: all its items are printed or have failed. `posted`: handed in at the post office.
 */
export const batchStates = ['open', 'closed', 'submitting', 'at_press', 'needs_operator', 'printed', 'posted'] as const;
export type BatchState = (typeof batchStates)[number];

/** What all items of a batch have in common. */
const keyFields = {
  cutoffAt: row.date,
  provider: row.oneOf(providerNames),
  zone: row.oneOf(zones),
  serviceType: row.oneOf(serviceTypes),
  format: row.oneOf(formats),
  window: row.textOf<SchemeName>(),
  color: row.flag,
  /** Absent: both sides. */
  doubleSided: row.optional(row.flag),
  acknowledgmentReceipt: row.flag,
  /** Counts from 1: a batch that is full is followed by another one. */
  part: row.number,
};
export type BatchKey = row.RecordOf<typeof keyFields>;

const printPartFields = {
  s3Key: row.text,
  /** Blank backs included. */
  pageCount: row.number,
  sizeBytes: row.number,
  /** Position of its first copy in the batch, from 1. */
  firstSequence: row.number,
  copyCount: row.number,
};
export type PrintPartRecord = row.RecordOf<typeof printPartFields>;

/** What an operator may report about a batch. */
export const batchMarks = ['printed', 'posted'] as const;
export type BatchMark = (typeof batchMarks)[number];

const fields = {
  _id: row.text,
  ...keyFields,
  closesAt: row.date,
  state: row.oneOf(batchStates),
  letterCount: row.number,
  itemCount: row.number,
  sheetCount: row.number,
  /** Why the batch waits or needs an operator: a sentence for them. Null while all is well. */
  problem: row.nullable(row.text),
  /** What an operator has reported, until the worker has moved all items. */
  marking: row.optional(row.oneOf(batchMarks)),
  closedAt: row.nullable(row.date),
  submittedAt: row.nullable(row.date),
  printedAt: row.nullable(row.date),
  postedAt: row.nullable(row.date),
  createdAt: row.date,
  updatedAt: row.date,
  /** The copies merged for an operator to print, once they are. Empty again after `removePartsAt`. */
  printParts: row.list(row.part(printPartFields)),
  removePartsAt: row.optional(row.date),
  due: row.part({ press: dueField, parts: dueField }),
};
/** Items that are printed and go to the post together. */
export type BatchRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('batches', fields);
schema.index(Object.fromEntries(Object.keys(keyFields).map((name) => [name, 1])) as Record<keyof BatchKey, 1>, {
  unique: true,
});
export const batchesByState = { state: 1, cutoffAt: -1, _id: -1 } as const;
schema.index(batchesByState);
addDueIndex(schema, 'due.press');
addDueIndex(schema, 'due.parts');
schema.index({ removePartsAt: 1 }, { sparse: true });

export const Batch = mongoose.model('Batch', schema);

/** Batches to close, to hand over, or whose provider is to be asked for results. */
export const pressWork: DueSlot = { collection: 'batches', path: 'due.press', queue: 'press' };
/** Batches whose copies are to be merged for an operator. */
export const partsWork: DueSlot = { collection: 'batches', path: 'due.parts', queue: 'print-parts' };
