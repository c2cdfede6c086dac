// Level: unit
import { describePairs, readFigures } from '#scripts/bench/compare/read-figures.ts';
import { expect, test } from '../support/jest.ts';

const output = (
  cpuMs: number,
  perS: string,
  workersMs: number,
) => `10000 waiting, CPU ms a delivery   ${cpuMs}  <= 0.55  MISSED
  of which workers ${workersMs}, MongoDB 0.75
  deliveries per second   ${perS}`;

test('two commits are compared by the figures that both print, pair by pair', () => {
  const pairOf = (ours: number, theirs: number) => ({
    ours: readFigures(`${output(ours, '1,025', 0.8)}\nonly here 7`),
    theirs: readFigures(output(theirs, '2050', 0.5).replace('MISSED', 'reached')),
  });
  const lines = describePairs([pairOf(1.5, 1), pairOf(1.8, 1), pairOf(1.1, 1)]);
  expect(lines.map((line) => line.split(/\s{2,}/))).toEqual([
    ['# waiting, CPU ms a delivery # <= # [2]', '1.50', '1.00', '1.50', '1.10–1.80'],
    ['of which workers #, MongoDB # [1]', '0.800', '0.500', '1.60', '1.60–1.60'],
    ['deliveries per second # [1]', '1025', '2050', '0.500', '0.500–0.500'],
  ]);
});

test('a line that is printed twice is two figures', () => {
  expect([...readFigures('letters 3\nletters 4').values()]).toEqual([3, 4]);
});
