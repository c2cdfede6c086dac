import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/model-options.ts';
import { isDuplicateKey } from '../platform/mongo.ts';
import { sha256Hex } from '../secrets.ts';

/** A token that is good for one use, and had it. */
type SpentTokenRecord = { _id: string; expiresAt: Date };

const schema = new Schema<SpentTokenRecord>(
  { _id: { type: String, required: true }, expiresAt: { type: Date, required: true } },
  { ...modelOptions, collection: 'spent_tokens' },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const SpentToken = mongoose.model('SpentToken', schema);

/** Uses a token up; false when it was used before. It is remembered until `expiresAt`, when it is worthless anyway. */
export async function spendToken(token: string, expiresAt: Date): Promise<boolean> {
  try {
    await SpentToken.create([{ _id: sha256Hex(token), expiresAt }]);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
