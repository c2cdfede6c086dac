import mongoose from 'mongoose';
import type { AddressProblem } from '#common/documents/addressing/check-addresses.ts';
import type { Finding } from '#common/documents/preflight/finding.ts';
import type { LetterFacts } from '#common/documents/preflight/letter-facts.ts';
import { type Placement, schemeNames } from '#common/documents/sheet/envelope-schemes.ts';
import type { UploadMimeType } from '#common/mime-types.ts';
import { coverPageRules } from '#common/organizations/organization.model.ts';
import { addDueIndex, dueField } from '#common/platform/due-work/due.schema.ts';
import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import * as row from '#common/platform/mongo/row.ts';
import type { PrintFileRecord } from '../model/mail-job.model.ts';

/** What the check found. `facts` and `placement` are null when the files cannot be printed. */
export type PreflightResult = {
  facts: LetterFacts | null;
  placement: Placement | null;
  findings: Finding[];
  /** Key of a picture of page 1 with the zones and findings drawn over it. */
  overlayKey: string | null;
  /** Of a check with `keptFor`, in place of the picture. */
  printFile?: PrintFileRecord;
};

const fields = {
  /** Contains `createdAt`. */
  _id: row.text,
  ...row.owned,
  /** Hash of all that the result depends on: owner, bytes of the files, envelope, rule and the two fields below. */
  key: row.text,
  files: row.list(
    row.part({
      s3Key: row.text,
      filename: row.text,
      mimeType: row.textOf<UploadMimeType>(),
      sizeBytes: row.number,
      etag: row.text,
    }),
  ),
  scheme: row.oneOf(schemeNames),
  coverPages: row.oneOf(coverPageRules),
  /** Absent: printed on both sides. */
  doubleSided: row.optional(row.flag),
  /** Absent: printed in black. */
  color: row.optional(row.flag),
  /** Absent when only the files are checked. The addresses themselves are not stored. */
  hasSeveralRecipients: row.optional(row.flag),
  addressProblems: row.optional(row.mixed<AddressProblem[]>()),
  /** The resource that the print file is kept for, for previews. Absent: it is not kept. */
  keptFor: row.optional(row.text),
  due: row.part({ check: dueField }),
  result: row.optional(row.mixed<PreflightResult>()),
  expiresAt: row.date,
};
/** A check of files before they are sent. Kept for 24 h, with a print file for an hour, and shared by equal requests. */
export type PreflightRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('preflights', fields);
schema.index({ key: 1 }, { unique: true });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
addDueIndex(schema, 'due.check');
// For counting an owner's checks that are not finished.
schema.index({ organizationId: 1, mode: 1 }, { partialFilterExpression: { 'due.check.at': { $exists: true } } });

export const Preflight = mongoose.model('Preflight', schema);

/** How long a result can be read, and is shared by equal requests. */
export const preflightLifeMs = 24 * 60 * 60 * 1000;
/** The same with a print file, which counts towards the temporary objects of its owner. */
export const printFileLifeMs = 60 * 60 * 1000;

/** Preflights whose files are due to be checked. */
export const preflightWork: DueSlot = { collection: 'preflights', path: 'due.check', queue: 'preflight' };
