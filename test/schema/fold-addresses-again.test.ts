// Level: push
import { Address } from '#common/addresses/address.model.ts';
import { foldAddressesAgain } from '#common/schema/fold-addresses-again.ts';
import { describe, expect, test } from '../support/jest.ts';
import { addBookEntry } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';

describe('addresses whose search text an earlier version stored', () => {
  const world = startWorld({ hasTariffs: false });

  test('are found without the marks of their letters after the migration, in all organizations', async () => {
    const owners = [await world.customer(), await world.customer()];
    for (const owner of owners) {
      const { body } = await addBookEntry(owner, { name: 'Łukasz Bjørn', city: 'Łódź' });
      await Address.updateOne({ _id: body.id }, { searchText: 'łukasz bjørn\nłodz\n1000\n' });
    }
    await foldAddressesAgain();
    await foldAddressesAgain();
    for (const { http } of owners) {
      for (const q of ['lukasz', 'bjorn', 'lodz', 'Łódź']) {
        expect([q, (await http.get(`/v1/addresses?q=${encodeURIComponent(q)}`)).body.data.length]).toEqual([q, 1]);
      }
    }
  });
});
