import type { SchemeName } from '#common/documents/sheet/envelope-schemes.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import type { ServiceType, Zone } from '#common/pricing/tariff.schema.ts';

/** A closed batch as its provider and its papers see it. */
export type PressBatch = {
  batchId: string;
  cutoffAt: Date;
  closesAt: Date;
  zone: Zone;
  serviceType: ServiceType;
  format: 'DL' | 'C5' | 'C4';
  window: SchemeName;
  color: boolean;
  doubleSided: boolean;
  acknowledgmentReceipt: boolean;
  itemCount: number;
  sheetCount: number;
};

/** One copy of a batch. `sequence` counts from 1 in the order of printing. */
export type PressItem = {
  sequence: number;
  itemId: string;
  mailJobId: string;
  pageCount: number;
  sheetCount: number;
  sender: PostalAddress;
  sizeBytes: number;
  sha256: string;
  /** The number on its label. Absent while it has none. */
  trackingNumber?: string;
};
