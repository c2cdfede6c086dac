import { z } from 'zod';
import { isId } from '../../common/ids.ts';
import { createdRange } from '../../common/moment.schema.ts';
import { listTransactions } from '../../common/wallet/read-ledger.ts';
import { TransactionKind, toWalletTransaction, WalletTransaction } from '../../common/wallet/transaction.view.ts';
import { aWalletTransaction } from '../examples.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute, reply } from '../route.ts';

/** What has moved the caller's money, newest first. */
export const listTransactionsRoute = defineRoute({
  method: 'get',
  path: '/v1/wallet/transactions',
  scope: 'wallet',
  operationId: 'listWalletTransactions',
  summary: 'List wallet transactions',
  description: 'Newest first. Transactions never change: a mistake is mended by another one, of the kind `adjustment`.',
  query: z.strictObject({
    kind: TransactionKind.optional(),
    mailJobId: z
      .string()
      .trim()
      .refine((text) => isId('mj', text), 'Give the id of a mail job, mj_….')
      .optional(),
    ...createdRange,
    ...pageQuery({ maxLimit: 100, defaultLimit: 20 }),
  }),
  responses: { 200: pageOf(WalletTransaction) },
  errors: [],
  example: { responses: { 200: { data: [aWalletTransaction], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    return reply(200, toPage(await listTransactions(credential, query, cursors), toWalletTransaction));
  },
});
