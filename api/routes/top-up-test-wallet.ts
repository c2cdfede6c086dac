import { z } from 'zod';
import { betweenCommits } from '../../common/mail-jobs/commit-mail-jobs.ts';
import { testTopUp, topUpTestWallet } from '../../common/wallet/top-up-test-wallet.ts';
import { toWalletView, WalletView } from '../../common/wallet/wallet.view.ts';
import { aWallet, transactionId } from '../examples.ts';
import { idempotencyKeyHeader } from '../idempotency-key.ts';
import { defineRoute, reply } from '../route.ts';

/** Play money for the test wallet, without an operator. */
export const topUpTestWalletRoute = defineRoute({
  method: 'post',
  path: '/v1/wallet/test-top-up',
  scope: 'wallet',
  mode: 'test',
  operationId: 'topUpTestWallet',
  summary: 'Fill the test wallet',
  description:
    'At once, as often as you like, up to 1,000,000.00 EUR in the wallet. A repeat with the same `Idempotency-Key` fills nothing.',
  headers: idempotencyKeyHeader('A repeat with the same key fills nothing.'),
  body: z.strictObject({ cents: z.int().min(1).max(testTopUp.maxCents) }).meta({ id: 'TestTopUpRequest' }),
  responses: {
    200: z.object({ ...WalletView.shape, transactionId: z.string() }).meta({ id: 'TestTopUp' }),
  },
  errors: ['LIMIT_REACHED', 'IDEMPOTENCY_MISMATCH'],
  example: { body: { cents: 50_000 }, responses: { 200: { ...aWallet, balanceCents: 149_027, transactionId } } },

  async handle({ body, headers, credential, now }) {
    const wanted = { cents: body.cents, idempotencyKey: headers['idempotency-key'] ?? null };
    // Beside the commits of letters that the same wallet pays, the two would abort each other.
    const { wallet, transactionId: id } = await betweenCommits(() => topUpTestWallet(credential, wanted, now));
    return reply(200, { ...toWalletView(wallet), transactionId: id });
  },
});
