import mongoose from 'mongoose';
import type { AuditActor } from '#common/audit/audit.model.ts';
import { createdByField } from '#common/audit/created-by.ts';
import type { Finding } from '#common/documents/preflight/finding.ts';
import { modes } from '#common/modes.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { addDueIndex, dueField } from '#common/platform/due-work/due.schema.ts';
import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import * as row from '#common/platform/mongo/row.ts';
import type { Amounts } from '#common/pricing/amounts.schema.ts';
import { serviceTypes, zones } from '#common/services.ts';
import type { PinnedFile } from '#common/uploads/check-uploads.ts';
import type { TableFormat } from '../file/read-table.ts';
import type { Reading } from '../file/reading.ts';
import type { FaultPlace, TableFaultName } from '../file/table-fault.ts';
import type { BulkMapping } from './bulk-fields.ts';
import type { BulkOverview } from './bulk-overview.ts';

/**
 * `validating`: the file is read and its rows are checked. `needs_mapping`: columns that every letter needs were not
 * recognized. `needs_attention`: rows have faults. `ready`: all rows can be sent. `sending`, `paused`: rows become mail
 * jobs, or wait. `sent`: every row that could be sent is a mail job. `failed`: the file cannot be read, or the document
 * cannot be printed.
 */
export const bulkStates = [
  'validating',
  'needs_mapping',
  'needs_attention',
  'ready',
  'sending',
  'paused',
  'sent',
  'cancelled',
  'failed',
] as const;
export type BulkState = (typeof bulkStates)[number];

/**
 * Why a bulk is paused. `REQUESTED`: by its owner. `LIMIT_REACHED`: the letters of a template need more storage than the
 * operator allows. `CONSENT_ENDED`: the end of its grant.
 */
export const pauseCodes = [
  'REQUESTED',
  'INSUFFICIENT_FUNDS',
  'PRICE_CHANGED',
  'LIMIT_REACHED',
  'CONSENT_ENDED',
] as const;
export type PauseCode = (typeof pauseCodes)[number];

/** Why a bulk failed. `FILE`: the table cannot be read. `DOCUMENT`: the shared document cannot be printed. */
export const bulkFailures = ['FILE', 'DOCUMENT', 'INTERNAL'] as const;

/** The columns of a field, or of a variable, as the owner names them. Without any, they are guessed. */
export type NamedMapping = {
  fields: Record<string, string[]>;
  variables?: Record<string, string>;
  separators?: BulkMapping['separators'];
  defaultCountry?: string;
};

/** A document of a ZIP, as an upload of its owner; or why it cannot be printed, in English. */
export type StoredDocument = { name: string; s3Key: string; pages: number; fault: string | null };

/**
 * `fault` and its place are of a file, `findings` of a document: pages say them in the language of the reader. `message` is
 * in English.
 */
export type BulkFailure = {
  code: (typeof bulkFailures)[number];
  message: string;
  fault?: TableFaultName;
  findings?: Finding[];
} & FaultPlace;

/** Where the check of a bulk continues: a claim ends after a few seconds when another bulk waits. */
export type CheckProgress = {
  /** Every row up to this one is stored; 0: none. */
  upToRow: number;
  /** What these rows add up to; null: none was checked. */
  counts: BulkCounts | null;
  warnedRows: number[];
  prices: BulkPrice[];
  /** Absent in checks that began before lists had one. */
  overview?: BulkOverview;
  /** The documents of a ZIP so far. */
  documents: StoredDocument[];
  /** Whether a file of the bulk took longer than a fast slot may be held. */
  needsSlowSlot: boolean;
};

const countFields = {
  /** Rows that are not blank, without the header. */
  rows: row.number,
  valid: row.number,
  faulty: row.number,
  /** Rows whose letter equals that of an earlier row. They are pointed out, and sent. */
  duplicates: row.number,
  /** Valid rows with warnings. Absent in lists that were checked before this was counted. */
  warned: row.optional(row.number),
  /**
   * Valid rows without a country, when nobody said that these are for Belgium. Absent in lists that were checked before this
   * was counted.
   */
  assumedBelgian: row.optional(row.number),
};
/** Valid rows with warnings that the page shows. */
export const maxWarnedRows = 20;
export type BulkCounts = row.RecordOf<typeof countFields>;

const progressFields = {
  /** Mail jobs, and what they cost. Changed in the transaction that creates them. */
  sent: row.number,
  sentCents: row.number,
  /** Rows that the service refused although they were valid. */
  refused: row.number,
  /** Mail jobs cancelled with the bulk, and those that were too late. */
  cancelled: row.number,
  notCancelled: row.number,
};

const fields = {
  /** `blk_…`, contains `createdAt`. */
  _id: row.text,
  organizationId: row.text,
  mode: row.oneOf(modes),
  /** Who created it: a credential, or a user of the web host. The mail jobs get it. */
  credentialId: row.text,
  createdBy: createdByField,
  /** The OAuth grant whose end pauses it: of the application that confirmed or last resumed it. Absent for others. */
  grantId: row.optional(row.text),
  state: row.oneOf(bulkStates),
  failure: row.nullable(row.mixed<BulkFailure>()),
  pause: row.nullable(row.part({ code: row.oneOf(pauseCodes), message: row.text })),
  file: row.part({ s3Key: row.text, filename: row.text, sizeBytes: row.number, etag: row.text }),
  /** How the owner wants it to be read. */
  reading: row.optional(row.mixed<Reading>()),
  format: row.nullable(row.mixed<TableFormat>()),
  /** The names of the columns in the file. */
  header: row.list(row.text),
  /** What the owner asked for; null: guess. */
  wantedMapping: row.nullable(row.mixed<NamedMapping>()),
  mapping: row.nullable(row.mixed<BulkMapping>()),
  /** How often its columns or its reading were chosen. Absent: never. */
  revision: row.optional(row.number),
  /** Columns that the owner does not need, by name. */
  ignoredColumns: row.optional(row.list(row.text)),
  /** Columns with content that no letter uses. Absent before the check, and in lists checked before they were found. */
  unusedColumns: row.optional(row.list(row.text)),
  /** Those of them that look like a part of the address: the owner must decide. */
  undecidedColumns: row.optional(row.list(row.text)),
  /** The fields and variables that no column was found for. */
  missing: row.list(row.text),
  /** The shared document; empty with a template or a ZIP. */
  files: row.list(row.mixed<PinnedFile>()),
  pages: row.nullable(row.number),
  /** The documents of a ZIP, once they are stored. */
  documents: row.optional(row.list(row.mixed<StoredDocument>())),
  template: row.optional(row.part({ templateId: row.text, version: row.number })),
  /** The names of the template's variables. */
  templateVariables: row.optional(row.list(row.text)),
  serviceType: row.oneOf(serviceTypes),
  zone: row.nullable(row.oneOf(zones)),
  color: row.flag,
  /** Absent: both sides. */
  doubleSided: row.optional(row.flag),
  acknowledgmentReceipt: row.flag,
  scheduledDropAt: row.nullable(row.text),
  /** Null: the default sender at the time of sending. */
  sender: row.nullable(row.mixed<PostalAddress>()),
  counts: row.part(countFields),
  /** About what its rows take in the database, as its last check read them. Absent before, and in older bulks. */
  rowBytes: row.optional(row.number),
  /** The numbers of the first valid rows with warnings, for the page. */
  warnedRows: row.optional(row.list(row.number)),
  /** Absent before the check, and in lists checked before they had one. */
  overview: row.optional(row.mixed<BulkOverview>()),
  progress: row.part(progressFields),
  totalCents: row.nullable(row.number),
  /** The price of one letter of each kind. */
  prices: row.list(row.mixed<BulkPrice>()),
  /** Whether rows with faults are left out. Set when it is confirmed. */
  skipsFaulty: row.flag,
  /** Whether letters may cost more than at the confirmation. Set when it is resumed. */
  acceptsNewPrice: row.flag,
  /** Every row up to this id has been sent or refused: where sending resumes. Once cancelled, an externalId. */
  doneUpTo: row.defaulting(row.text, ''),
  /** Absent or null: a check begins with the first row. */
  checking: row.optional(row.nullable(row.mixed<CheckProgress>())),
  due: row.part({ check: dueField, send: dueField }),
  /** Who cancelled it, for the audit log. */
  cancelledBy: row.optional(row.mixed<AuditActor>()),
  confirmedAt: row.nullable(row.date),
  completedAt: row.nullable(row.date),
  /** When its rows and its file are removed; absent once they are. */
  removeAt: row.optional(row.date),
  createdAt: row.date,
  updatedAt: row.date,
};
/** A list of letters that is sent as a whole. */
export type BulkRecord = row.RecordOf<typeof fields>;

/** The price of one letter of a zone and page count, and how many rows have it. */
export type BulkPrice = {
  zone: (typeof zones)[number];
  pages: number;
  letters: number;
  unitCents: number;
  amounts: Amounts;
};

const schema = row.schemaOf('bulks', fields);
export const bulksByOwner = { organizationId: 1, mode: 1, _id: -1 } as const;
schema.index(bulksByOwner);
addDueIndex(schema, 'due.check');
addDueIndex(schema, 'due.send');
/** For the removal of rows. Bulks whose rows are removed cost nothing. */
schema.index({ removeAt: 1 }, { sparse: true });
export const Bulk = mongoose.model('Bulk', schema);

/** Bulks whose file is to be read, or whose rows are to be checked again. */
export const bulkCheckWork: DueSlot = { collection: 'bulks', path: 'due.check', queue: 'bulk-check' };
/** Bulks whose rows are to become mail jobs, or whose mail jobs are to be cancelled. */
export const bulkSendWork: DueSlot = { collection: 'bulks', path: 'due.send', queue: 'bulk-send' };

const dayMs = 24 * 60 * 60 * 1000;
/** How long a bulk that was not confirmed can be, and how long rows and file are kept after the end. */
export const bulkLifeMs = { unconfirmed: 7 * dayMs, ended: 30 * dayMs } as const;

/** Whether the rows of a bulk are removed: 30 days after its end, or with its cancellation when it was never confirmed. */
export function hasNoRows({ removeAt, state, confirmedAt }: BulkRecord): boolean {
  return removeAt === undefined || (state === 'cancelled' && confirmedAt === null);
}
