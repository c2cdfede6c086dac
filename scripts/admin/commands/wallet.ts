import { z } from 'zod';
import { lineOfText } from '#common/fields/text.schema.ts';
import type { Owner } from '#common/modes.ts';
import { currency, formatCents } from '#common/money.ts';
import { isBalanceLow, setLowBalance } from '#common/wallet/low-balance.ts';
import { adjustWallet, readWallet, topUpWallet } from '#common/wallet/wallets.ts';
import { defineCommand } from '../command.ts';
import { ModeOption, OrganizationOption, wholeNumber } from '../option.schema.ts';
import { findOrganization } from './find-organization.ts';

/** The most that one command moves: a million euro. */
const maxCents = 100_000_000;
const walletOptions = { '--org <id>': 'the organization', '--mode <mode>': 'test or live' };
const walletInput = { org: OrganizationOption, mode: ModeOption };

const topUp = defineCommand({
  name: 'wallet top-up',
  summary: 'credit a wallet; repeating a reference credits nothing',
  options: {
    ...walletOptions,
    '--cents <number>': 'the amount in euro cents',
    '--reference <text>': 'the reference of the payment, unique per wallet',
  },
  input: z.strictObject({ ...walletInput, cents: wholeNumber(1, maxCents), reference: lineOfText(255) }),

  async run({ org, mode, cents, reference }, { clock, actor }) {
    const owner = await findOwner(org, mode);
    const { wallet, entry, isDuplicate } = await topUpWallet(owner, cents, reference, clock.now(), actor);
    return { ...toResult(owner, wallet.balanceCents), transactionId: entry._id, duplicate: isDuplicate };
  },
  describe: ({ balanceCents, transactionId, duplicate }) =>
    duplicate
      ? `Nothing credited: this reference was used by ${transactionId}. The balance is ${formatCents(balanceCents)}.`
      : `Credited by ${transactionId}. The balance is ${formatCents(balanceCents)}.`,
});

const adjust = defineCommand({
  name: 'wallet adjust',
  summary: 'correct a balance by a ledger entry; repeating a reference changes nothing',
  options: {
    ...walletOptions,
    '--cents <number>': 'the amount in euro cents; a negative one debits, as in --cents=-500',
    '--reason <text>': 'the reason, shown in the statement',
    '--reference <text>': 'the reference of the case, unique per wallet',
  },
  input: z.strictObject({
    ...walletInput,
    cents: wholeNumber(-maxCents, maxCents).refine((cents) => cents !== 0, 'It must not be 0.'),
    reason: lineOfText(255),
    reference: lineOfText(255),
  }),

  async run({ org, mode, cents: amountCents, reason, reference }, { clock, actor }) {
    const owner = await findOwner(org, mode);
    const adjustment = { amountCents, reason, reference };
    const { wallet, entry, isDuplicate } = await adjustWallet(owner, adjustment, clock.now(), actor);
    return { ...toResult(owner, wallet.balanceCents), transactionId: entry._id, duplicate: isDuplicate };
  },
  describe: ({ balanceCents, transactionId, duplicate }) =>
    duplicate
      ? `Nothing moved: this reference was used by ${transactionId}. The balance is ${formatCents(balanceCents)}.`
      : `Adjusted by ${transactionId}. The balance is ${formatCents(balanceCents)}.`,
});

const setThreshold = defineCommand({
  name: 'wallet set-threshold',
  summary: 'set the balance below which a wallet is low; 0 for never',
  options: { ...walletOptions, '--cents <number>': 'the threshold in euro cents; 0 removes it' },
  input: z.strictObject({ ...walletInput, cents: wholeNumber(0, maxCents) }),

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
  options: walletOptions,
  input: z.strictObject(walletInput),

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

export const walletCommands = [topUp, adjust, setThreshold, showWallet];
