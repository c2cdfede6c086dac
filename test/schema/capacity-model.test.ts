// Level: unit
import {
  capacityOf,
  capacityOfCells,
  type LetterCosts,
  machinesOfCell,
  twoMachines,
} from '#scripts/bench/capacity/capacity-model.ts';
import { describe, expect, test } from '#test/support/jest.ts';

/** In all 100 ms on one machine, of which the product takes 80. */
const costs: LetterCosts = { api: 10, workers: 20, render: 50, mongodb: 10, redis: 5, objectStore: 5 };
const machine = { cores: 8, utilisation: 0.5 };

describe('the model of capacity', () => {
  test.each([
    [1, 40, 'its cores'],
    // 40 ms of the product, and 20 of the stores.
    [2, 4_000 / 60, 'the cores beside the stores'],
    // 20 ms of the product, 10 of a member of MongoDB, 5 of Redis or the object store.
    [4, 4_000 / 35, 'the one thread of Redis'],
  ])('%s machines carry %s letters a second until %s saturates', (machines, lettersPerS, saturates) => {
    const found = capacityOf(costs, { machines, ...machine });
    expect(found.lettersPerS).toBeCloseTo(Math.min(lettersPerS, 100));
    expect(found.saturates).toBe(saturates);
  });

  test('with machines of their own, the slowest of the stores ends the growth', () => {
    const cheap = { ...costs, redis: 0.1, objectStore: 0.1 };
    expect(capacityOf(cheap, { machines: 10, ...machine }).saturates).toBe('the cores of API, workers and render');
    expect(capacityOf(cheap, { machines: 100, ...machine })).toEqual({
      lettersPerS: 400,
      saturates: 'the primary of MongoDB',
    });
    const heavyStore = { ...cheap, objectStore: 40 };
    expect(capacityOf(heavyStore, { machines: 100, ...machine }).saturates).toMatch(/object store/);
  });

  test('two machines share the work, one beside the stores and one beside the customers', () => {
    expect(twoMachines(costs, 7)).toEqual([60, 47]);
  });

  test('an installation ends at the machine that adds nothing, and further machines form another one', () => {
    const cheap = { ...costs, redis: 0.1, objectStore: 0.1 };
    const most = machinesOfCell(cheap, machine);
    // 80 ms on 8 machines are the 10 ms of the primary.
    expect(most).toBe(12);
    const carried = (machines: number) => capacityOf(cheap, { machines, ...machine }).lettersPerS;
    expect([carried(most), carried(most + 1)]).toEqual([400, 400]);
    expect(capacityOfCells(cheap, { machines: most, ...machine })).toMatchObject({ cells: 1, lettersPerS: 400 });
    expect(capacityOfCells(cheap, { machines: 10 * most, ...machine })).toMatchObject({
      cells: 10,
      lettersPerS: 4_000,
    });
  });
});
