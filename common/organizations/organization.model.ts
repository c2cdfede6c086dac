import mongoose from 'mongoose';
import type { Mode } from '../modes.ts';
import * as row from '../platform/mongo/row.ts';
import type { Sealed } from '../secrets.ts';

export const postalAddressFields = {
  name: row.text,
  line1: row.text,
  line2: row.nullable(row.text),
  zip: row.text,
  city: row.text,
  /** ISO 3166-1 alpha-2, upper case. */
  country: row.text,
};
/** A postal address as printed; `line2` is null if there is none. */
export type PostalAddress = row.RecordOf<typeof postalAddressFields>;

/** The field of a replaced signing secret, encrypted, and when it stops signing. Null or absent if there is none. */
export const previousSecretField = (contextOf: (rowId: string) => string) =>
  row.optional(row.nullable(row.part({ sealed: row.sealed(contextOf), until: row.date })));
export type PreviousSecret = { sealed: Sealed; until: Date };

/** The encryption context that binds a job-webhook secret to its organization and mode. */
export const jobWebhookSecretContext = (organizationId: string, mode: Mode) =>
  `job-webhook-secret:${organizationId}:${mode}`;
const contextIn = (mode: Mode) => (organizationId: string) => jobWebhookSecretContext(organizationId, mode);
const secrets = { test: row.sealed(contextIn('test')), live: row.sealed(contextIn('live')) };
const previousSecrets = {
  test: previousSecretField(contextIn('test')),
  live: previousSecretField(contextIn('live')),
};
const countField = row.optional(
  row.field<{ test?: number; live?: number }>({ type: { test: Number, live: Number, _id: false } }),
);

/**
 * When a letter gets a cover page with the address. `auto`: when the window shows something of the document. `never`:
 * the document then shows in the window, for documents that bring their own address.
 */
export const coverPageRules = ['auto', 'always', 'never'] as const;
export type CoverPageRule = (typeof coverPageRules)[number];

const limitFields = {
  /** Of all credentials together, per mode. */
  readsPerMinute: row.optional(row.number),
  writesPerMinute: row.optional(row.number),
  /** Per mode. */
  activeWebhooks: row.optional(row.number),
  /** Uploads and print files, in GB of 1,000,000,000 bytes. */
  storedTestGb: row.optional(row.number),
  storedLiveGb: row.optional(row.number),
};
/** Limits that an operator has set for an organization. Absent ones are those of the installation. */
export type OrganizationLimits = row.RecordOf<typeof limitFields>;

const fields = {
  _id: row.text,
  name: row.text,
  /** The default sender when the address book has none. */
  address: row.part(postalAddressFields),
  /** Signs deliveries to a job's own `webhookUrl`. Encrypted, one per mode. */
  jobWebhookSecret: row.part(secrets),
  /** The secrets before the last rotation of a mode. They sign beside the new ones until `until`. */
  previousJobWebhookSecret: row.optional(row.part(previousSecrets)),
  /** Incremented for each new webhook, so concurrent creations conflict and the limit holds. Absent at first. */
  webhooksCreated: countField,
  /** Test clocks ever made. Absent before the first. */
  clocksCreated: row.optional(row.number),
  /** Bulks ever made. Absent before the first. */
  bulksCreated: row.optional(row.number),
  /** Incremented for each new API key, for the same reason. Absent at first. */
  keysCreated: countField,
  /** Absent: `auto`. */
  coverPages: row.optional(row.oneOf(coverPageRules)),
  limits: row.optional(row.part(limitFields)),
  createdAt: row.date,
};
export type OrganizationRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('organizations', fields);

/** Compares names ignoring case and accents. */
export const nameOrder = { locale: 'en', strength: 1 } as const;
schema.index({ name: 1 }, { collation: nameOrder });

export const Organization = mongoose.model('Organization', schema);
