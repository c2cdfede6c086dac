// Level: unit
import { setImmediate as nextLoop } from 'node:timers/promises';
import fc from 'fast-check';
import { firstIdAt, type IdPrefix, idPrefixes, isId, newId, newIdAt } from '#common/ids.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

const prefixes = Object.keys(idPrefixes) as IdPrefix[];

describe('ids', () => {
  test('the prefixes that integrators know exist', () => {
    expect(prefixes).toEqual(
      expect.arrayContaining(['mj', 'adr', 'wh', 'org', 'usr', 'evt', 'whd', 'txn', 'tar', 'mi']),
    );
  });

  test.each(prefixes)('a new id of %s is valid for that prefix only', (prefix) => {
    const id = newId(prefix);
    expect(id).toMatch(new RegExp(`^${prefix}_[0-7][0-9a-z]{25}$`));
    for (const other of prefixes) expect([other, isId(other, id)]).toEqual([other, other === prefix]);
  });

  test('ten thousand ids created at once are distinct', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('mj'))).size).toBe(10_000);
  });

  test('ids sort as text in creation order', async () => {
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      made.push(newId('mj'));
      // Until the next millisecond, the resolution of an id.
      for (const madeAt = Date.now(); Date.now() === madeAt; ) await nextLoop();
    }
    expect([...made].sort()).toEqual(made);
  });

  test('ids sort as the times they carry, on both sides of a bound', () => {
    const time = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
    forAny([time, time], (made, bound) => {
      const id = newIdAt('mj', made);
      expect(isId('mj', id)).toBe(true);
      expect(id >= firstIdAt('mj', bound)).toBe(made >= bound);
    });
    expect(firstIdAt('mj', new Date(-1))).toBe(firstIdAt('mj', new Date(0)));
  });

  test('4,096 ids of one millisecond sort in creation order, and more are still valid', () => {
    const at = new Date('2026-03-02T09:30:00.000Z');
    const made = Array.from({ length: 4_096 }, () => newIdAt('mj', at));
    expect([...made].sort()).toEqual(made);
    expect(new Set([...made, newIdAt('mj', at), newIdAt('mj', at)]).size).toBe(4_098);
  });

  const good = newId('mj');
  test.each([
    '',
    'mj',
    'mj_',
    good.slice(0, -1),
    `${good}0`,
    ` ${good}`,
    `${good}\n`,
    good.toUpperCase(),
    good.replace('mj_', 'mj-'),
    good.replace('mj_', 'MJ_'),
    `mj_8${good.slice(4)}`,
    `${good.slice(0, -1)}u`,
    `${good.slice(0, -1)}%`,
    `wh_${good}`,
    'mj_%FF',
    'mj_../../etc/passwd',
    `mj_${'0'.repeat(100_000)}`,
  ])('the text %#, which cannot have been created, is not an id', (text) => {
    expect(isId('mj', text)).toBe(false);
  });

  test('only a prefix and 26 letters of base32 are an id', () => {
    forAny([fc.string()], (text) => {
      expect(isId('mj', `mj_${text}`)).toBe(/^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/.test(text));
    });
  });
});
