import type { LoadOptions } from './load.ts';

/** Letters to the first `processes` API processes, or bare transactions in the caller if that is 0. */
export type Subject = {
  name: string;
  processes: number;
  wallets: number;
  load: LoadOptions;
  /** Whether each letter has an upload of its own, which the API has not seen before. */
  isFresh?: boolean;
};

const forMs = 2_000;
/** Callers per API process. */
const inFlight = 128;
/** The fastest setting of bare transactions. */
const bare = { processes: 0, load: { inFlight: 32, forMs } };
const alone = { wallets: 1, load: { inFlight: 1, forMs: 1_000 } };
const fresh = { wallets: 200, isFresh: true };
const freshLoad = { inFlight, forMs: 60_000, maxSends: 1_000 };

const processCounts = { one: 1, two: 2, four: 4 };
const walletCounts = { '200': 200, Hot: 1, '2000': 2_000 };

/** The subjects of a round, in order. */
export const subjects: readonly Subject[] = [
  { name: 'bare200', ...bare, wallets: 200 },
  { name: 'bareHot', ...bare, wallets: 1 },
  { name: 'bareAlone', ...bare, ...alone },
  { name: 'oneAlone', processes: 1, ...alone },
  ...Object.entries(walletCounts).flatMap(([toWallets, wallets]) =>
    Object.entries(processCounts).map(([from, processes]) => ({
      name: `${from}${toWallets}`,
      processes,
      wallets,
      load: { inFlight: processes * inFlight, forMs },
    })),
  ),
  { name: 'oneFresh', processes: 1, ...fresh, load: freshLoad },
  { name: 'twoFresh', processes: 2, ...fresh, load: { ...freshLoad, inFlight: 2 * inFlight } },
];
