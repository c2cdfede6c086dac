import mongoose from 'mongoose';
import { createdByField } from '../audit/created-by.ts';
import { postalAddressFields } from '../organizations/organization.model.ts';
import * as row from '../platform/mongo/row.ts';

export const addressKinds = ['SENDER', 'RECIPIENT'] as const;
export type AddressKind = (typeof addressKinds)[number];

const fields = {
  _id: row.text,
  ...row.owned,
  kind: row.oneOf(addressKinds),
  ...postalAddressFields,
  label: row.nullable(row.text),
  isDefault: row.flag,
  /** Name, city, postal code and label, folded for search. */
  searchText: row.text,
  createdBy: createdByField,
  createdAt: row.date,
  updatedAt: row.date,
};
export type AddressRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('addresses', fields);
schema.index({ organizationId: 1, mode: 1, _id: -1 });
schema.index({ organizationId: 1, mode: 1, kind: 1, _id: -1 });
schema.index({ organizationId: 1, mode: 1, kind: 1 }, { unique: true, partialFilterExpression: { isDefault: true } });

export const Address = mongoose.model('Address', schema);
