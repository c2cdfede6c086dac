// Level: push
import mongoose from 'mongoose';
import { models } from '#common/schema/migrations.ts';
import { placements, unshardableRules } from '#common/schema/shard-keys.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

type Index = { collection: string; key: Record<string, unknown>; options: Record<string, unknown> };

const indexesOf = (model: (typeof models)[number]): Index[] =>
  model.schema.indexes().map(([key, options]) => ({
    collection: model.collection.name,
    key: key as Record<string, unknown>,
    options: options as Record<string, unknown>,
  }));

const nameOf = ({ key }: Index) =>
  Object.entries(key)
    .map((part) => part.join('_'))
    .join('_');

const shardFields = (collection: string): string[] => {
  const placement = placements[collection];
  return placement && 'key' in placement ? Object.keys(placement.key) : [];
};

const startsWith = ({ key }: Index, fields: readonly string[]) =>
  fields.every((field, place) => Object.keys(key)[place] === field);

describe('the shard key of each collection', () => {
  startWorld({ hasTariffs: false });

  test('every collection of the database has a shard key, or a reason to have none', async () => {
    const inDatabase = (await mongoose.connection.db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
    const names = [...models.map(({ collection }) => collection.name), ...inDatabase.map(({ name }) => name)];
    const unknown = [...new Set(names)].filter((name) => !(name in placements));
    expect(unknown).toEqual([]);
    const modelled = [...Object.values(mongoose.models)].map(({ collection }) => collection.name);
    expect(Object.keys(placements).filter((name) => !modelled.includes(name))).toEqual([]);
  });

  test('a unique rule of a sharded collection begins with its shard key, or is listed', () => {
    const broken = models
      .flatMap(indexesOf)
      .filter(({ options }) => options.unique)
      .filter((index) => !startsWith(index, shardFields(index.collection)))
      .map((index) => ({ collection: index.collection, index: nameOf(index) }));
    expect(broken).toEqual(unshardableRules.map(({ collection, index }) => ({ collection, index })));
  });

  test('every sharded collection can be split by an index that holds all of its rows', () => {
    // The index of a hashed key is created when the collection is sharded.
    const ranged = Object.entries(placements).flatMap(([name, placement]) =>
      'key' in placement && !Object.values(placement.key).includes('hashed') ? [name] : [],
    );
    const all = models.flatMap(indexesOf);
    const unsplittable = ranged.filter((name) => {
      const fields = shardFields(name);
      const isWhole = ({ options }: Index) => !options.sparse && !options.partialFilterExpression && !options.collation;
      return (
        fields[0] !== '_id' &&
        !all.some((index) => index.collection === name && isWhole(index) && startsWith(index, fields))
      );
    });
    expect(unsplittable).toEqual([]);
  });

  test('every row of a sharded collection has the field of its shard key', () => {
    for (const { collection, schema } of models) {
      for (const field of shardFields(collection.name)) {
        expect([collection.name, field, schema.path(field)?.isRequired ?? false]).toEqual([
          collection.name,
          field,
          true,
        ]);
      }
    }
  });
});
