import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/model-options.ts';

/** A postal address as it is printed; `line2` is null when there is none. */
export type PostalAddress = {
  name: string;
  line1: string;
  line2: string | null;
  zip: string;
  city: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
};

export type OrganizationRecord = {
  _id: string;
  name: string;
  /** The sender of last resort: every organization has one. */
  address: PostalAddress;
  /** Signs the deliveries to a job's own webhookUrl; encrypted, one a mode. */
  jobWebhookSecret: { test: string; live: string };
  /** Raised by each new webhook, so that two created at once conflict and the limit of webhooks holds; absent at first. */
  webhooksCreated?: { test?: number; live?: number };
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

const schema = new Schema<OrganizationRecord>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    address: { type: new Schema(postalAddressFields, { _id: false }), required: true },
    jobWebhookSecret: { type: { test: String, live: String }, required: true },
    webhooksCreated: { type: { test: Number, live: Number }, _id: false },
    createdAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'organizations' },
);

/** Names without regard to case and accents. */
export const nameOrder = { locale: 'en', strength: 1 } as const;
schema.index({ name: 1 }, { collation: nameOrder });

export const Organization = mongoose.model('Organization', schema);
