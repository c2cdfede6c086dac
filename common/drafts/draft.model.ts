import mongoose from 'mongoose';
import { letterFaults } from '../documents/typesetting/refusals.ts';
import type { UploadMimeType } from '../mime-types.ts';
import { modes } from '../modes.ts';
import { postalAddressFields } from '../organizations/organization.model.ts';
import * as row from '../platform/mongo/row.ts';
import { serviceTypes } from '../services.ts';

/** Why a file of the last submission was not taken. */
export const draftFileFaults = [
  'too_large',
  'too_large_together',
  'empty',
  'not_accepted',
  'two_types_at_once',
  'too_many',
  'storage_full',
] as const;
export type DraftFileFault = (typeof draftFileFaults)[number];

const fileFields = {
  s3Key: row.text,
  filename: row.text,
  mimeType: row.textOf<UploadMimeType>(),
  sizeBytes: row.number,
};
/** Why no letter was made of a template whose variables are all right. After `late`, another attempt may succeed. */
export const draftLetterFaults = [
  ...(Object.keys(letterFaults) as (keyof typeof letterFaults)[]),
  'late',
  'storage_full',
] as const;
export type DraftLetterFault = (typeof draftLetterFaults)[number];

/** The template that a letter is made of, in the version that was chosen. */
const templateFields = {
  templateId: row.text,
  version: row.number,
  /** Of the template. The mode of the draft may be changed later. */
  mode: row.oneOf(modes),
  name: row.text,
  /** What was filled in, by the names of the variables and as JSON, because names may contain dots. Null at first. */
  values: row.nullable(row.text),
  /** Names the recipients that values were taken of, see `recipientsKey`. Absent: none was. */
  madeFor: row.optional(row.text),
  fault: row.nullable(row.oneOf(draftLetterFaults)),
};
const recipientFields = { recipientId: row.text, ...postalAddressFields };
/** An address as far as it was understood: unknown parts are empty, and the country is null. */
const pastedFields = {
  pastedId: row.text,
  /** What was pasted, to compare. */
  text: row.text,
  name: row.field<string>({ type: String, default: '' }),
  line1: row.field<string>({ type: String, default: '' }),
  line2: row.nullable(row.text),
  zip: row.field<string>({ type: String, default: '' }),
  city: row.field<string>({ type: String, default: '' }),
  country: row.nullable(row.text),
};

const fields = {
  /** Becomes the externalId of the letter, so a draft is sent at most once. */
  _id: row.text,
  ...row.owned,
  /** The user who began it, and to whom it is offered again. */
  userId: row.text,
  /** Incremented by each change. A letter is only sent from the revision that its sender saw. */
  revision: row.number,
  /** In place of files of the user: `files` then has the letter that was made of it, once it is made. */
  template: row.nullable(row.part(templateFields)),
  /** Printed in this order. */
  files: row.list(row.part(fileFields)),
  /** Printed pages of these files, once a check has counted them. Prices are shown while another check runs. */
  pages: row.nullable(row.number),
  /** Files of the last submission that were not taken. */
  refusedFiles: row.list(row.part({ filename: row.text, fault: row.oneOf(draftFileFaults) })),
  /** Copies, so later changes of the address book change nothing. */
  recipients: row.list(row.part(recipientFields)),
  /** Pasted addresses that wait to be confirmed or corrected. */
  pasted: row.list(row.part(pastedFields)),
  /** Entry of the address book in place of the default sender; null: the default sender. */
  senderId: row.nullable(row.text),
  serviceType: row.oneOf(serviceTypes),
  color: row.flag,
  /** Absent: both sides. */
  doubleSided: row.optional(row.flag),
  acknowledgmentReceipt: row.flag,
  /** The first day, `yyyy-mm-dd` in Brussels, on which the letter may go to the post; null: as soon as possible. */
  dropOn: row.nullable(row.text),
  createdAt: row.date,
  updatedAt: row.date,
  /** Seven days after the last change. */
  expiresAt: row.date,
};
/** A letter that is being prepared on the web host. Removed when it is sent, because it has addresses of people. */
export type DraftRecord = row.RecordOf<typeof fields>;
export type DraftTemplate = NonNullable<DraftRecord['template']>;
export type DraftFile = DraftRecord['files'][number];
export type DraftRecipient = DraftRecord['recipients'][number];
export type PastedAddress = DraftRecord['pasted'][number];

const schema = row.schemaOf('drafts', fields);
schema.index({ organizationId: 1, userId: 1, updatedAt: -1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const Draft = mongoose.model('Draft', schema);

/** How long a draft is kept after its last change. */
export const draftLifeMs = 7 * 24 * 60 * 60 * 1000;
