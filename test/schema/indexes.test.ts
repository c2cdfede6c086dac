// Level: unit
import { globSync } from 'node:fs';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { migrations, models } from '#common/schema/migrations.ts';
import { describe, expect, test } from '../support/jest.ts';
import { declaredIndexes, listPath, readListedIndexes } from '../support/project/listed-indexes.ts';

const root = join(import.meta.dirname, '../..');
const next = Math.max(...migrations.map(({ number }) => number)) + 1;

describe('an index or collection that is new in a model', () => {
  const listed = readListedIndexes();
  const names = new Set(listed.map(({ index }) => index));
  const declared = new Set(declaredIndexes());

  test('has a migration, so existing installations get it too', () => {
    const missing = [...declared]
      .filter((index) => !names.has(index))
      .map(
        (index) =>
          `No migration creates it. Add one with this number and the step createCollections to common/schema/migrations.ts, and this line to ${listPath}: ${next} ${index}`,
      );
    expect(missing).toEqual([]);
  });

  test('is listed once, with a migration of this version', () => {
    const numbers = new Set(migrations.map(({ number }) => number));
    expect(listed.filter(({ number }) => !numbers.has(number))).toEqual([]);
    expect(listed.length).toBe(names.size);
  });

  test('stays in the list until a migration drops it', () => {
    const gone = [...names]
      .filter((index) => !declared.has(index))
      .map(
        (index) =>
          `No model declares it. Add migration ${next} that drops it, and remove its line from ${listPath}: ${index}`,
      );
    expect(gone).toEqual([]);
  });

  test('is of a model that common/schema/migrations.ts lists', async () => {
    for (const path of globSync('common/**/*.model.ts', { cwd: root })) await import(join(root, path));
    const unlisted = Object.values(mongoose.models)
      .map(({ collection }) => collection.name)
      .filter((name) => !models.some(({ collection }) => collection.name === name));
    // These are used before the first migration, and have no indexes.
    expect(unlisted.filter((name) => !['leases', 'migrations'].includes(name))).toEqual([]);
  });
});
