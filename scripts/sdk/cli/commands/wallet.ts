import type { Command } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { euros } from '../program/output.ts';

/** `wallet` shows the balance. */
export const walletCommand: Command = {
  name: 'wallet',
  summary: 'Show the balance of the wallet.',
  examples: ['bluejay wallet', 'bluejay wallet --json'],
  async run(context) {
    const { out, signal } = context;
    const { bluejay } = await connect(context);
    const wallet = await bluejay.wallet.get({ signal });
    out.result(wallet, () => [`${euros(wallet.balanceCents)} (${wallet.mode} mode)`]);
    if (wallet.isLow) out.warn(`The balance is below ${euros(wallet.lowBalanceCents ?? 0)}.`);
  },
};
