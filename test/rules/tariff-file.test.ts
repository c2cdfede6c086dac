import { describe, expect, test } from '@jest/globals';
import { AppError } from '../../common/errors.ts';
import { Tariff } from '../../common/pricing/tariff.model.ts';
import { importTariffs } from '../../common/pricing/tariffs.ts';
import { aTariffEntry } from '../support/sample-tariff.ts';
import { startWorld } from '../support/world.ts';

describe('a tariff file', () => {
  startWorld({ hasTariffs: false });

  test('given faults of every kind in one file, when it is imported, then all are named in its order and nothing is stored', async () => {
    await importTariffs([aTariffEntry({ validFrom: '2026-01-01T00:00:00Z' })]);
    const falling = { upToGrams: 40, cents: 1 };
    const refused = importTariffs([
      {
        ...aTariffEntry({ validFrom: '2027-01-01T00:00:00Z' }),
        pageCents: -1,
        postage: [{ upToGrams: 50, cents: 9 }, falling],
      },
      aTariffEntry({ validFrom: '2026-01-01T00:00:00Z' }),
      aTariffEntry({ validFrom: '2028-01-01T00:00:00Z' }),
      aTariffEntry({ validFrom: '2028-01-01T00:00:00Z' }),
    ]);
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).issues?.map(({ path }) => path.join('.'))).toEqual([
      '0.pageCents',
      '0.postage.1.upToGrams',
      '0.postage.1.cents',
      '1',
      '3',
    ]);
    expect(await Tariff.countDocuments()).toBe(1);
  });
});
