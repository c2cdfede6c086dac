import { z } from 'zod';
import { aWallet, transactionId } from '#api/openapi/examples/account-examples.ts';
import { idempotencyKeyHeader } from '#api/requests/idempotency-key-header.ts';
import { defineRoute, reply } from '#api/route.ts';
import { testTopUp, topUpTestWallet } from '#common/wallet/top-up-test-wallet.ts';
import { toWalletView, WalletView } from '#common/wallet/wallet.view.ts';

export const topUpTestWalletRoute = defineRoute({
  method: 'post',
  path: '/v1/wallet/test-top-up',
  scope: 'wallet',
  mode: 'test',
  operationId: 'topUpTestWallet',
  summary: 'Top up the test wallet',
  description:
    'Adds play money immediately, as often as you like, up to a balance of 1,000,000.00 EUR. A repeat with the same `Idempotency-Key` has no effect.',
  headers: idempotencyKeyHeader('A repeat with the same key has no effect.'),
  body: z.strictObject({ cents: z.int().min(1).max(testTopUp.maxCents) }).meta({ id: 'TestTopUpRequest' }),
  responses: {
    200: z.object({ ...WalletView.shape, transactionId: z.string() }).meta({ id: 'TestTopUp' }),
  },
  errors: ['LIMIT_REACHED', 'IDEMPOTENCY_MISMATCH'],
  example: { body: { cents: 50_000 }, responses: { 200: { ...aWallet, balanceCents: 149_027, transactionId } } },
  repeat: 'own',

  async handle({ body, headers, credential, now }, { mailCommitter }) {
    const wanted = { cents: body.cents, idempotencyKey: headers['idempotency-key'] ?? null };
    // Exclusive: a top-up and a group commit that debit the same wallet would abort each other.
    const { wallet, transactionId: id } = await mailCommitter.runExclusive(() =>
      topUpTestWallet(credential, wanted, now),
    );
    return reply(200, { ...toWalletView(wallet), transactionId: id });
  },
});
