import mongoose from 'mongoose';
import { isDuplicateKey } from '../platform/mongo/mongo.ts';
import * as row from '../platform/mongo/row.ts';
import { sha256Hex } from '../secrets.ts';

/** Single-use tokens that were used. */
const schema = row.schemaOf('spent_tokens', { _id: row.text, expiresAt: row.date });
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
