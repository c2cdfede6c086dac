import { aWallet } from '#api/openapi/examples/account-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { toWalletView, WalletView } from '#common/wallet/wallet.view.ts';
import { readWallet } from '#common/wallet/wallets.ts';

export const getWallet = defineRoute({
  method: 'get',
  path: '/v1/wallet',
  scope: 'wallet',
  operationId: 'getWallet',
  summary: 'Read the wallet balance',
  responses: { 200: WalletView },
  errors: [],
  example: { responses: { 200: aWallet } },

  async handle({ credential }) {
    return reply(200, toWalletView(await readWallet(credential)));
  },
});
