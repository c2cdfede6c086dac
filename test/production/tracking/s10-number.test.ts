// Level: unit
import { parseLabel } from '#common/production/tracking/parse-label.ts';
import { formatS10 } from '#common/production/tracking/s10-number.ts';
import { expect, test } from '#test/support/jest.ts';

// The published example of UPU standard S10, and serial numbers where 11 - remainder is 10 or 11.
test.each([
  [47_312_482, 'RR473124829XX'],
  [0, 'RR000000005XX'],
  [1, 'RR000000014XX'],
  [12_345_678, 'RR123456785XX'],
  [70_000_000, 'RR700000000XX'],
])('the serial number %d is that of %s', (serial, number) => {
  expect(formatS10({ indicator: 'RR', country: 'XX' }, serial)).toBe(number);
  expect(parseLabel(number)).toEqual({ tracking: { number, scheme: 's10' } });
});
