// Level: unit
import fc from 'fast-check';
import { findRepeatedKey } from '#api/requests/find-repeated-key.ts';
import { describe, expect, test } from '../support/jest.ts';

describe('a key that is given twice', () => {
  test.each<[text: string, path: (string | number)[] | null]>([
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"\\u0061":2}', ['a']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['[0,"a",{"b":[[],[{"c" : "c","c"\n:"c"}]]}]', [2, 'b', 1, 0, 'c']],
    ['{"a":{"b":1},"b":{"a":"a"},"c":["c","c"],"A":1}', null],
    ['{"a":"\\\\","b":"\\",\\"b\\":","c":"{\\"c\\":"}', null],
    ['"a"', null],
    ['{"x":[{"a":1}],"x":0}', ['x']],
    [`${'['.repeat(101)}${']'.repeat(101)}`, null],
  ])('%s has its path', (text, path) => {
    expect(findRepeatedKey(text)).toEqual(path);
  });

  test('no text that JSON.stringify writes has one', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 5 }), (text) => expect(findRepeatedKey(text)).toBeNull()));
  });
});
