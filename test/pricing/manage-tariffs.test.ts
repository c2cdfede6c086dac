// Level: push
import { plusMs } from '#common/clock.ts';
import { AppError } from '#common/errors.ts';
import { newId } from '#common/ids.ts';
import { clearTariffCache, findTariff } from '#common/pricing/find-tariff.ts';
import { importTariffs, listTariffs, removeTariff } from '#common/pricing/manage-tariffs.ts';
import { Tariff, type TariffRecord } from '#common/pricing/tariff.model.ts';
import { afterEach, describe, expect, standingClock, test } from '../support/jest.ts';
import { aSender, type Sender } from '../support/product/customer.ts';
import { aTariff, aTariffEntry, sameVat } from '../support/product/tariffs.ts';
import { startWorld } from '../support/product/world.ts';
import { startProfiling, stopProfiling } from '../support/servers/profiler.ts';

const dayMs = 24 * 60 * 60 * 1_000;

describe('the tariff in force', () => {
  startWorld();

  test('is found among hundreds of earlier and later ones', async () => {
    const now = new Date();
    const example = await Tariff.findOne({ zone: 'NATIONAL', serviceType: 'standard' }).orFail().lean<TariffRecord>();
    await Tariff.deleteMany({ zone: 'NATIONAL', serviceType: 'standard' });
    const startingAt = (ms: number) => ({ ...example, _id: newId('tar'), validFrom: plusMs(now, ms) });
    const past = Array.from({ length: 150 }, (_, index) => startingAt(-(index + 1) * dayMs));
    const future = Array.from({ length: 150 }, (_, index) => startingAt((index + 1) * dayMs));
    await Tariff.insertMany([...past, ...future]);
    clearTariffCache();
    expect((await findTariff('NATIONAL', 'standard', now))._id).toBe(past[0]?._id);
  });
});

const quoteRequest = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };

describe('a tariff file', () => {
  startWorld({ hasTariffs: false });

  test('all faults of a file are reported in its order and nothing is stored', async () => {
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

describe('the validity of tariffs', () => {
  const start = new Date();
  const clock = standingClock(start);
  const world = startWorld({ clock, hasTariffs: false });
  afterEach(async () => {
    for (const { _id } of await listTariffs()) await removeTariff(_id);
  });

  /** A tariff under which one page costs exactly this. */
  const entry = (cents: number, validFrom: Date) => {
    const free = { vatPercent: sameVat(0), pageCents: 0, postage: [{ upToGrams: 2_000, cents: 0 }] };
    return aTariffEntry({ ...free, handlingCents: cents, validFrom: validFrom.toISOString() });
  };
  const importTariff = (cents: number, validFrom: Date) => importTariffs([entry(cents, validFrom)]);
  /** Changes tariffs as another process would, without clearing this process's cache. */
  const importElsewhere = async (cents: number, validFrom: Date) => {
    const _id = newId('tar');
    await Tariff.insertMany([{ ...aTariff(entry(cents, validFrom)), _id }]);
    return _id;
  };
  async function price({ http }: Pick<Sender, 'http'>): Promise<number | string> {
    const { status, body } = await http.post('/v1/quote', quoteRequest);
    return status === 200 ? body.totalCents : body.code;
  }

  test('a future tariff applies to quotes and letters from its exact millisecond', async () => {
    clock.set(start);
    const sender = await aSender(world);
    const changesAt = plusMs(start, 60_000);
    await importTariff(100, plusMs(start, -1_000));
    await importTariff(250, changesAt);
    expect(await price(sender)).toBe(100);
    // Read a moment before, so the cache decides.
    clock.set(plusMs(changesAt, -1));
    expect(await price(sender)).toBe(100);
    const before = (await sender.send({ externalId: 'before' })).body;
    clock.set(changesAt);
    expect(await price(sender)).toBe(250);
    const after = (await sender.send()).body;
    expect([before.amounts.totalCents, after.amounts.totalCents]).toEqual([100, 250]);
    expect(await sender.balanceCents()).toBe(100_000 - 350);
    // A sent letter keeps its price when it is read, sent again and refunded.
    expect((await sender.http.get(`/v1/mails/${before.mailJobId}`)).body.amounts).toEqual(before.amounts);
    expect((await sender.send({ externalId: 'before' })).body).toMatchObject({
      duplicate: true,
      amounts: before.amounts,
    });
    await sender.http.post(`/v1/mails/${before.mailJobId}/simulate`, { to: 'failed' });
    expect(await sender.balanceCents()).toBe(100_000 - 250);
  });

  test('tariffs changed by another process apply after 5 s, with few reads', async () => {
    clock.set(start);
    const sender = await world.customer();
    await importTariff(100, plusMs(start, -1_000));
    expect(await price(sender)).toBe(100);
    const added = await importElsewhere(300, plusMs(start, -500));
    clock.advance(4_999);
    expect(await price(sender)).toBe(100);
    clock.advance(1);
    expect(await price(sender)).toBe(300);
    await Tariff.deleteOne({ _id: added });
    clock.advance(4_999);
    expect(await price(sender)).toBe(300);
    clock.advance(1);
    expect(await price(sender)).toBe(100);
  });

  test('the first tariff imported by another process applies at once', async () => {
    const sender = await world.customer();
    expect(await price(sender)).toBe('PRICING_UNAVAILABLE');
    await importElsewhere(70, plusMs(clock.now(), -1));
    expect(await price(sender)).toBe(70);
  });

  test('a hundred concurrent quotes after the first do not query the database', async () => {
    const sender = await world.customer();
    await importTariff(100, plusMs(clock.now(), -1));
    await startProfiling();
    const prices = await Promise.all(Array.from({ length: 100 }, () => price(sender)));
    const reads = (await stopProfiling()).filter(({ ns, op }) => ns.endsWith('.tariffs') && op === 'query');
    expect(new Set(prices)).toEqual(new Set([100]));
    expect(reads).toHaveLength(1);
  });
});
