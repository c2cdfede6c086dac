import mongoose from 'mongoose';

/** Error codes of MongoDB for a collection or an index that does not exist. */
const notFoundCodes: readonly unknown[] = [26, 27];

/** Drops the index of a collection with this key, if it is there. */
export async function dropIndex(collection: string, key: Readonly<Record<string, 1 | -1>>): Promise<void> {
  try {
    await mongoose.connection.db?.command({ dropIndexes: collection, index: key });
  } catch (error) {
    const isGone = error instanceof mongoose.mongo.MongoServerError && notFoundCodes.includes(error.code);
    if (!isGone) throw error;
  }
}
