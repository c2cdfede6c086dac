import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/mongo/model-options.ts';
import type { LineCode, ServiceType, Zone } from './tariff.schema.ts';

/** The prices of one zone and service from `validFrom` on. */
export type TariffRecord = {
  _id: string;
  zone: Zone;
  serviceType: ServiceType;
  validFrom: Date;
  vatPercent: Record<LineCode, number>;
  handlingCents: number;
  pageCents: number;
  colorPageCents: number;
  registeredCents: number;
  acknowledgmentReceiptCents: number;
  envelopeGrams: number;
  postage: { upToGrams: number; cents: number }[];
};

const wholeNumber = { type: Number, required: true };

const schema = new Schema<TariffRecord>(
  {
    _id: { type: String, required: true },
    zone: { type: String, required: true },
    serviceType: { type: String, required: true },
    validFrom: { type: Date, required: true },
    vatPercent: { type: Schema.Types.Mixed, required: true },
    handlingCents: wholeNumber,
    pageCents: wholeNumber,
    colorPageCents: wholeNumber,
    registeredCents: wholeNumber,
    acknowledgmentReceiptCents: wholeNumber,
    envelopeGrams: wholeNumber,
    postage: { type: [new Schema({ upToGrams: wholeNumber, cents: wholeNumber }, { _id: false })], required: true },
  },
  { ...modelOptions, collection: 'tariffs' },
);
schema.index({ zone: 1, serviceType: 1, validFrom: -1 }, { unique: true });

export const Tariff = mongoose.model('Tariff', schema);
