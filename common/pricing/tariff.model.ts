import mongoose from 'mongoose';
import type { ServiceType, Zone } from '#common/services.ts';
import * as row from '../platform/mongo/row.ts';
import type { LineCode } from './tariff.schema.ts';

const fields = {
  _id: row.text,
  zone: row.textOf<Zone>(),
  serviceType: row.textOf<ServiceType>(),
  validFrom: row.date,
  vatPercent: row.mixed<Record<LineCode, number>>(),
  handlingCents: row.number,
  pageCents: row.number,
  colorPageCents: row.number,
  registeredCents: row.number,
  acknowledgmentReceiptCents: row.number,
  envelopeGrams: row.number,
  postage: row.list(row.part({ upToGrams: row.number, cents: row.number })),
};
/** The prices of one zone and service from `validFrom` on. */
export type TariffRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('tariffs', fields);
schema.index({ zone: 1, serviceType: 1, validFrom: -1 }, { unique: true });

export const Tariff = mongoose.model('Tariff', schema);
