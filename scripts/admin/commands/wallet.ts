import { lineOfText } from '#common/fields/text.schema.ts';
import type { Owner } from '#common/modes.ts';
import { currency, formatCents } from '#common/money.ts';
import { isBalanceLow, setLowBalance } from '#common/wallet/low-balance.ts';
import { adjustWallet, type Posting, readWallet, topUpWallet } from '#common/wallet/wallets.ts';
import { defineCommand, option } from '../command.ts';
import { common, wholeNumber } from '../option.schema.ts';
import { findOrganization } from './org.ts';

/** The most that one command moves: a million euro. */
const maxCents = 100_000_000;

const topUp = defineCommand({
  name: 'wallet top-up',
  summary: 'credit a wallet; repeating a reference credits nothing',
  fields: {
    ...common.owner,
    cents: option('--cents <number>', 'the amount in euro cents', wholeNumber(1, maxCents)),
    reference: option('--reference <text>', 'the reference of the payment, unique per wallet', lineOfText(255)),
  },

  async run({ org, mode, cents, reference }, { clock, actor }) {
    const owner = await findOwner(org, mode);
    return toPosted(owner, await topUpWallet(owner, cents, reference, clock.now(), actor));
  },
  describe: (posted) => describePosted(posted, 'Credited', 'Nothing credited'),
});

const adjust = defineCommand({
  name: 'wallet adjust',
  summary: 'correct a balance by a ledger entry; repeating a reference changes nothing',
  fields: {
    ...common.owner,
    cents: option(
      '--cents <number>',
      'the amount in euro cents; a negative one debits, as in --cents=-500',
      wholeNumber(-maxCents, maxCents).refine((cents) => cents !== 0, 'It must not be 0.'),
    ),
    reason: option('--reason <text>', 'the reason, shown in the statement', lineOfText(255)),
    reference: option('--reference <text>', 'the reference of the case, unique per wallet', lineOfText(255)),
  },

  async run({ org, mode, cents: amountCents, reason, reference }, { clock, actor }) {
    const owner = await findOwner(org, mode);
    const adjustment = { amountCents, reason, reference };
    return toPosted(owner, await adjustWallet(owner, adjustment, clock.now(), actor));
  },
  describe: (posted) => describePosted(posted, 'Adjusted', 'Nothing moved'),
});

const setThreshold = defineCommand({
  name: 'wallet set-threshold',
  summary: 'set the balance below which a wallet is low; 0 for never',
  fields: {
    ...common.owner,
    cents: option('--cents <number>', 'the threshold in euro cents; 0 removes it', wholeNumber(0, maxCents)),
  },

  async run({ org, mode, cents }, { clock, actor }) {
    const owner = await findOwner(org, mode);
    const wallet = await setLowBalance(owner, cents === 0 ? null : cents, { by: actor, at: clock.now() });
    const { lowBalanceCents = null, balanceCents } = wallet;
    return { ...toResult(owner, balanceCents), lowBalanceCents, isLow: isBalanceLow(wallet) };
  },
  describe: ({ organizationId, mode, balanceCents, lowBalanceCents, isLow }) =>
    lowBalanceCents === null
      ? `The ${mode} wallet of ${organizationId} is never low.`
      : `The ${mode} wallet of ${organizationId} is low below ${formatCents(lowBalanceCents)}. ` +
        `It holds ${formatCents(balanceCents)}, which is ${isLow ? 'low' : 'enough'}.`,
});

const showWallet = defineCommand({
  name: 'wallet show',
  summary: 'show the balance of a wallet',
  fields: common.owner,

  async run({ org, mode }) {
    const owner = await findOwner(org, mode);
    return toResult(owner, (await readWallet(owner)).balanceCents);
  },
  describe: ({ organizationId, mode, balanceCents }) =>
    `The ${mode} wallet of ${organizationId} holds ${formatCents(balanceCents)}.`,
});

async function findOwner(organizationId: string, mode: Owner['mode']): Promise<Owner> {
  await findOrganization(organizationId);
  return { organizationId, mode };
}

function toResult({ organizationId, mode }: Owner, balanceCents: number) {
  return { organizationId, mode, balanceCents, currency };
}

function toPosted(owner: Owner, { wallet, entry, isDuplicate }: Posting) {
  return { ...toResult(owner, wallet.balanceCents), transactionId: entry._id, duplicate: isDuplicate };
}

function describePosted(posted: ReturnType<typeof toPosted>, done: string, nothing: string): string {
  const { balanceCents, transactionId, duplicate } = posted;
  const outcome = duplicate ? `${nothing}: this reference was used by` : `${done} by`;
  return `${outcome} ${transactionId}. The balance is ${formatCents(balanceCents)}.`;
}

export const walletCommands = [topUp, adjust, setThreshold, showWallet];
