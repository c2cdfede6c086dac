import mongoose, { Schema } from 'mongoose';
import { type Mode, modes } from '../modes.ts';
import { type PostalAddress, postalAddressFields } from '../organizations/organization.model.ts';
import { modelOptions } from '../platform/mongo/model-options.ts';

export const addressKinds = ['SENDER', 'RECIPIENT'] as const;
export type AddressKind = (typeof addressKinds)[number];

export type AddressRecord = PostalAddress & {
  _id: string;
  organizationId: string;
  mode: Mode;
  kind: AddressKind;
  label: string | null;
  isDefault: boolean;
  /** Name, city, postal code and label, folded for search. */
  searchText: string;
  createdAt: Date;
  updatedAt: Date;
};

const schema = new Schema<AddressRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    kind: { type: String, enum: addressKinds, required: true },
    ...postalAddressFields,
    label: { type: String, default: null },
    isDefault: { type: Boolean, required: true },
    searchText: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'addresses' },
);
schema.index({ organizationId: 1, mode: 1, _id: -1 });
schema.index({ organizationId: 1, mode: 1, kind: 1, _id: -1 });
schema.index({ organizationId: 1, mode: 1, kind: 1 }, { unique: true, partialFilterExpression: { isDefault: true } });

export const Address = mongoose.model('Address', schema);
