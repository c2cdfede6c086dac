import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/mongo/model-options.ts';
import { isDuplicateKey } from '../platform/mongo/mongo.ts';
import { sha256Hex } from '../secrets.ts';

/** A single-use token that was used. */
type SpentTokenRecord = { _id: string; expiresAt: Date };

const schema = new Schema<SpentTokenRecord>(
  { _id: { type: String, required: true }, expiresAt: { type: Date, required: true } },
  { ...modelOptions, collection: 'spent_tokens' },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const SpentToken = mongoose.model('SpentToken', schema);

/**
 * Marks a token as used. Returns false if it was used before. Remembered until `expiresAt`, when the token is invalid
 * anyway.
 */
export async function spendToken(token: string, expiresAt: Date): Promise<boolean> {
  try {
    await SpentToken.create([{ _id: sha256Hex(token), expiresAt }]);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
