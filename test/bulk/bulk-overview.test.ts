// Level: unit
import { createOverview } from '#common/bulk/model/bulk-overview.ts';
import { expect, test } from '#test/support/jest.ts';
import { aPostalAddress } from '#test/support/product/customer.ts';

test('the overview of a list has its first, longest address and text, and the total by country', () => {
  const seen = (row: number, textLength: number, change: object = {}) => ({
    ...{ row, textLength, priceCents: row, recipient: { ...aPostalAddress(), country: 'BE', ...change } },
  });
  const first = createOverview();
  first.add(seen(3, 5));
  first.add(seen(4, 9, { line2: 'Third floor, second door', country: 'NL' }));
  const whole = createOverview(first.result());
  // As long as row 4, which comes first.
  whole.add(seen(5, 9, { line2: 'Third floor, second door' }));
  const { length = 0 } = whole.result().longestAddress ?? {};
  expect(length).toBeGreaterThan(24);
  expect(whole.result()).toEqual({
    firstRow: 3,
    longestAddress: { row: 4, length },
    longestText: { row: 4, length: 9 },
    countries: [
      { country: 'BE', letters: 2, cents: 8 },
      { country: 'NL', letters: 1, cents: 4 },
    ],
  });
  expect(first.result().countries).toHaveLength(2);
});
