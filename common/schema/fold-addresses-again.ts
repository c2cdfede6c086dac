import { Address, type AddressRecord } from '../addresses/address.model.ts';
import { searchTextOf } from '../addresses/search-text.ts';
import { specialLetter } from '../fields/fold-text.ts';

/** Addresses per write. */
const foldedAtOnce = 500;

/** Folds the letters in the search text of addresses that versions before this one left: `Łódź` was found as `łodz` only. */
export async function foldAddressesAgain(): Promise<void> {
  const isOld = { searchText: { $regex: specialLetter.source } };
  for (;;) {
    const addresses = await Address.find(isOld).limit(foldedAtOnce).lean<AddressRecord[]>();
    if (addresses.length === 0) return;
    await Address.bulkWrite(
      addresses.map(({ _id, organizationId, ...fields }) => ({
        updateOne: { filter: { _id, organizationId }, update: { searchText: searchTextOf(fields) } },
      })),
      { ordered: false },
    );
  }
}
