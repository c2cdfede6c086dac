import { afterEach, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { plusMs } from '../../common/clock.ts';
import { newId } from '../../common/ids.ts';
import { Tariff } from '../../common/pricing/tariff.model.ts';
import { importTariffs, listTariffs, removeTariff } from '../../common/pricing/tariffs.ts';
import { standingClock } from '../support/clock.ts';
import { aTariff, aTariffEntry, sameVat } from '../support/sample-tariff.ts';
import { aSender, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const quoteRequest = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };

describe('tariffs in time', () => {
  const start = new Date();
  const clock = standingClock(start);
  const world = startWorld({ clock, hasTariffs: false });
  afterEach(async () => {
    for (const { _id } of await listTariffs()) await removeTariff(_id);
  });

  /** A tariff by which one page costs exactly this. */
  const entry = (cents: number, validFrom: Date) => {
    const free = { vatPercent: sameVat(0), pageCents: 0, postage: [{ upToGrams: 2_000, cents: 0 }] };
    return aTariffEntry({ ...free, handlingCents: cents, validFrom: validFrom.toISOString() });
  };
  const importTariff = (cents: number, validFrom: Date) => importTariffs([entry(cents, validFrom)]);
  /** As another process does it: this one is told nothing. */
  const importElsewhere = async (cents: number, validFrom: Date) => {
    const _id = newId('tar');
    await Tariff.insertMany([{ ...aTariff(entry(cents, validFrom)), _id }]);
    return _id;
  };
  async function price({ http }: Pick<Sender, 'http'>): Promise<number | string> {
    const { status, body } = await http.post('/v1/quote', quoteRequest);
    return status === 200 ? body.totalCents : body.code;
  }

  test('given a tariff of the future, when its instant comes, then it holds from that millisecond on, for quotes and letters', async () => {
    // given
    clock.set(start);
    const sender = await aSender(world);
    const changesAt = plusMs(start, 60_000);
    await importTariff(100, plusMs(start, -1_000));
    await importTariff(250, changesAt);
    expect(await price(sender)).toBe(100);
    // when, then: read a moment before, so what is remembered decides
    clock.set(plusMs(changesAt, -1));
    expect(await price(sender)).toBe(100);
    const before = (await sender.send({ externalId: 'before' })).body;
    clock.set(changesAt);
    expect(await price(sender)).toBe(250);
    const after = (await sender.send()).body;
    expect([before.amounts.totalCents, after.amounts.totalCents]).toEqual([100, 250]);
    expect(await sender.balanceCents()).toBe(100_000 - 350);
    // then: what was sent keeps its price, when it is read, sent again and given back
    expect((await sender.http.get(`/v1/mails/${before.mailJobId}`)).body.amounts).toEqual(before.amounts);
    expect((await sender.send({ externalId: 'before' })).body).toMatchObject({
      duplicate: true,
      amounts: before.amounts,
    });
    await sender.http.post(`/v1/mails/${before.mailJobId}/simulate`, { to: 'failed' });
    expect(await sender.balanceCents()).toBe(100_000 - 250);
  });

  test('given tariffs that another process imports and removes, when 5 s have passed, then they count here, too, and not much is read', async () => {
    // given
    clock.set(start);
    const sender = await world.customer();
    await importTariff(100, plusMs(start, -1_000));
    expect(await price(sender)).toBe(100);
    const added = await importElsewhere(300, plusMs(start, -500));
    // when, then
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

  test('given no tariff at all, when another process imports the first one, then it counts at once', async () => {
    const sender = await world.customer();
    expect(await price(sender)).toBe('PRICING_UNAVAILABLE');
    await importElsewhere(70, plusMs(clock.now(), -1));
    expect(await price(sender)).toBe(70);
  });

  test('given a price that was asked for, when a hundred more are asked for at once, then the database is not asked again', async () => {
    const sender = await world.customer();
    await importTariff(100, plusMs(clock.now(), -1));
    await mongoose.connection.db?.command({ profile: 2 });
    const prices = await Promise.all(Array.from({ length: 100 }, () => price(sender)));
    await mongoose.connection.db?.command({ profile: 0 });
    expect(new Set(prices)).toEqual(new Set([100]));
    const ns = `${mongoose.connection.name}.tariffs`;
    const reads = await mongoose.connection.collection('system.profile').countDocuments({ ns, op: 'query' });
    expect(reads).toBe(1);
  });
});
