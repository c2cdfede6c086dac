import { readFileSync } from 'node:fs';
import mongoose from 'mongoose';
import { models } from '#common/schema/migrations.ts';

const { EJSON } = mongoose.mongo.BSON;

/** The file that lists what each migration creates. */
export const listPath = 'common/schema/indexes.txt';

/** Returns each index that a model declares, as in the list: its collection, key and options. */
export function declaredIndexes(): string[] {
  return models.flatMap(({ collection: { name }, schema }) => {
    const indexes = schema.indexes().map(([key, options]) => {
      // MongoDB has ignored `background` since 4.2.
      const { background: _, ...rest } = options as { background?: boolean };
      return [name, EJSON.stringify(key), EJSON.stringify(rest)].join(' ');
    });
    return indexes.length === 0 ? [name] : indexes;
  });
}

/** Returns the lines of the list: the number of a migration, and what it creates. */
export function readListedIndexes(): { number: number; index: string }[] {
  const lines = readFileSync(new URL(`../../../${listPath}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const [number = '', ...index] = line.split(' ');
    return { number: Number(number), index: index.join(' ') };
  });
}

/** Creates a collection and its index in the connected database, as a line of the list says. */
export async function createListed(index: string): Promise<void> {
  const [name = '', key, options] = index.split(' ');
  if (key === undefined) await mongoose.connection.createCollection(name);
  else await mongoose.connection.collection(name).createIndex(EJSON.parse(key), EJSON.parse(options ?? '{}'));
}
