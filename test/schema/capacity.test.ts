// Level: unit
import { readFileSync } from 'node:fs';
import { placements, unshardableRules } from '#common/schema/shard-keys.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const text = readFileSync(new URL('../../scripts/deploy/capacity.md', import.meta.url), 'utf8');

const sharded = Object.entries(placements).flatMap(([name, placement]) =>
  'key' in placement ? [[name, placement.key] as const] : [],
);

describe('the steps to a sharded cluster in capacity.md', () => {
  test('shard each collection by its key, and no other', () => {
    const commands = [...text.matchAll(/sh\.shardCollection\('bluejay\.(\w+)', \{ (\w+): (1|'hashed') \}\)/g)];
    const found = commands.map(([, name, field = '', kind]) => [name, { [field]: kind === '1' ? 1 : 'hashed' }]);
    expect(found).toEqual(sharded);
  });

  test('set zones for each collection whose rows an organization keeps together', () => {
    const [, list = ''] = /byOrganization = \[([^\]]*)\]/.exec(text) ?? [];
    const named = [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name);
    expect(named).toEqual(sharded.flatMap(([name, key]) => ('organizationId' in key ? [name] : [])));
    expect(text).toContain("['ledger_entries', 'walletId']");
  });

  test('create the index of each hashed key, and name each rule that is in the way', () => {
    for (const [name, key] of sharded) {
      for (const [field, kind] of Object.entries(key)) {
        if (kind === 'hashed') expect(text).toContain(`db.${name}.createIndex({ ${field}: 'hashed' })`);
      }
    }
    for (const { collection, index } of unshardableRules) {
      expect(text).toContain(`db.${collection}.dropIndex('${index}')`);
    }
  });
});
