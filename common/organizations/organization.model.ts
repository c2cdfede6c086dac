import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/mongo/model-options.ts';

/** A postal address as printed; `line2` is null if there is none. */
export type PostalAddress = {
  name: string;
  line1: string;
  line2: string | null;
  zip: string;
  city: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
};

/** A replaced signing secret, encrypted, and when it stops signing. */
export type PreviousSecret = { sealed: string; until: Date };

export type OrganizationRecord = {
  _id: string;
  name: string;
  /** The default sender when the address book has none. */
  address: PostalAddress;
  /** Signs deliveries to a job's own `webhookUrl`. Encrypted, one per mode. */
  jobWebhookSecret: { test: string; live: string };
  /** The secrets before the last rotation of a mode. They sign beside the new ones until `until`. */
  previousJobWebhookSecret?: { test?: PreviousSecret | null; live?: PreviousSecret | null };
  /** Incremented for each new webhook, so concurrent creations conflict and the limit holds. Absent at first. */
  webhooksCreated?: { test?: number; live?: number };
  /** Incremented for each new API key, for the same reason. Absent at first. */
  keysCreated?: { test?: number; live?: number };
  createdAt: Date;
};

export const postalAddressFields = {
  name: { type: String, required: true },
  line1: { type: String, required: true },
  line2: { type: String, default: null },
  zip: { type: String, required: true },
  city: { type: String, required: true },
  country: { type: String, required: true },
};

const previousSecretField = {
  type: new Schema<PreviousSecret>(
    { sealed: { type: String, required: true }, until: { type: Date, required: true } },
    { _id: false },
  ),
  default: null,
};

const schema = new Schema<OrganizationRecord>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    address: { type: new Schema(postalAddressFields, { _id: false }), required: true },
    jobWebhookSecret: { type: { test: String, live: String }, required: true },
    previousJobWebhookSecret: { type: { test: previousSecretField, live: previousSecretField }, _id: false },
    webhooksCreated: { type: { test: Number, live: Number }, _id: false },
    keysCreated: { type: { test: Number, live: Number }, _id: false },
    createdAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'organizations' },
);

/** Compares names ignoring case and accents. */
export const nameOrder = { locale: 'en', strength: 1 } as const;
schema.index({ name: 1 }, { collation: nameOrder });

export const Organization = mongoose.model('Organization', schema);
