import { migrations } from '#common/schema/migrations.ts';
import { expect, test } from '#test/support/jest.ts';

test('migration numbers are unique and ascending', () => {
  const numbers = migrations.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right));
});
