import { z } from 'zod';
import { listPageOf, listPageQuery, toListPage } from '#api/list-page.ts';
import { aWalletTransaction } from '#api/openapi/examples/account-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { createdRange } from '#common/fields/moment.schema.ts';
import { isId } from '#common/ids.ts';
import { listTransactions } from '#common/wallet/ledger/read-ledger.ts';
import { TransactionKind, toWalletTransaction, WalletTransaction } from '#common/wallet/ledger/transaction.view.ts';

export const listTransactionsRoute = defineRoute({
  method: 'get',
  path: '/v1/wallet/transactions',
  scope: 'wallet',
  operationId: 'listWalletTransactions',
  summary: 'List wallet transactions',
  description:
    'Newest first. Transactions never change. Mistakes are corrected by another transaction of the kind `adjustment`.',
  query: z.strictObject({
    kind: TransactionKind.optional(),
    mailJobId: z
      .string()
      .trim()
      .refine((text) => isId('mj', text), 'Give the id of a mail job, mj_….')
      .optional(),
    ...createdRange,
    ...listPageQuery({ maxLimit: 100, defaultLimit: 20 }),
  }),
  responses: { 200: listPageOf(WalletTransaction) },
  errors: [],
  example: { responses: { 200: { data: [aWalletTransaction], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    return reply(200, toListPage(await listTransactions(credential, query, cursors), toWalletTransaction));
  },
});
