import { randomUUID } from 'node:crypto';
import { html } from 'hono/html';
import { z } from 'zod';
import { betweenCommits } from '../../../../common/mail-jobs/commit-mail-jobs.ts';
import { type Mode, modes } from '../../../../common/modes.ts';
import { readOrganization } from '../../../../common/organizations/read-organization.ts';
import { maxThresholdCents, setLowBalance } from '../../../../common/wallet/low-balance.ts';
import { listTransactions } from '../../../../common/wallet/read-ledger.ts';
import { testTopUp, topUpTestWallet } from '../../../../common/wallet/top-up-test-wallet.ts';
import { TransactionKind, toStatementLine } from '../../../../common/wallet/transaction.view.ts';
import { toWalletView, type WalletView } from '../../../../common/wallet/wallet.view.ts';
import { readWallet } from '../../../../common/wallet/wallets.ts';
import { redirect, view } from '../../answer.ts';
import { euros } from '../../form-fields.ts';
import { FormRefusal } from '../../form-refusal.ts';
import type { Markup } from '../../markup.ts';
import { defineAction, definePage } from '../../page.ts';
import type { SentForm } from '../../read-form.ts';
import { badge } from '../../views/badge.ts';
import { postForm } from '../../views/form.ts';
import { pageHead, section } from '../../views/page-parts.ts';
import type { Visit } from '../../visit.ts';
import { transactionList } from './transaction-list.ts';

const path = '/account/wallet';
const topUpPath = `${path}/test-top-up`;
const transactionsShown = 25;
/** Real money comes first. */
const shownModes = modes.toReversed();

/** Both wallets, how they are filled, and everything that has moved the money of one of them. */
export const walletPage = definePage({
  path,
  access: 'user',
  query: z.object({
    mode: z.enum(modes).default('live'),
    kind: TransactionKind.optional(),
    cursor: z.string().max(1_024).optional(),
  }),

  async show({ visit, query, sent }, { cursors }) {
    const texts = visit.texts.wallet;
    const { organizationId } = visit.user;
    const { mode, kind, cursor } = query;
    const [organization, page, ...records] = await Promise.all([
      readOrganization(organizationId),
      listTransactions({ organizationId, mode }, { kind, cursor, limit: transactionsShown }, cursors),
      ...shownModes.map((each) => readWallet({ organizationId, mode: each })),
    ]);
    const { rows, nextCursor } = page;
    const wallets = records.map(toWalletView);
    const toStatements = visit.href(`${path}/statements`);
    return view({
      title: texts.title,
      body: html`${pageHead({
        title: texts.title,
        lead: texts.lead,
        actions: html`<a class="button plain" href="${toStatements}">${texts.statementsLink}</a>`,
      })}
<ul class="figures">${wallets.map((wallet) => walletFigure(visit, wallet))}</ul>
${transactionList(visit, { lines: rows.map(toStatementLine), nextCursor, query, path })}
${section(texts.topUp.live, html`<p>${texts.topUpLive}</p><p><strong>${organization.name}</strong> <code>${organizationId}</code></p>`)}
${section(texts.topUp.test, topUpForm(visit, sent))}
${wallets.map((wallet) => section(texts.threshold[wallet.mode], thresholdForm(visit, wallet, sent)))}`,
    });
  },
});

export const topUpTestWalletAction = defineAction({
  path: topUpPath,
  access: 'user',
  form: z.object({ amount: euros({ maxCents: testTopUp.maxCents }), reference: z.uuid() }),
  page: walletPage,

  async run({ visit, form: { amount: cents, reference }, now }) {
    if (cents === null) throw new FormRefusal({ amount: 'required' });
    const owner = { organizationId: visit.user.organizationId, mode: 'test' as const };
    // Beside the commits of letters that the same wallet pays, the two would abort each other.
    await betweenCommits(() => topUpTestWallet(owner, { cents, idempotencyKey: `page-${reference}` }, now));
    return redirect(visit.href(path, { mode: 'test', notice: 'testWalletFilled' }));
  },
});

export const setLowBalanceAction = defineAction({
  path: `${path}/:mode/threshold`,
  access: 'user',
  params: z.object({ mode: z.enum(modes) }),
  form: z.object({ amount: euros({ maxCents: maxThresholdCents }) }),
  page: walletPage,

  async run({ visit, params: { mode }, form: { amount } }) {
    await setLowBalance({ organizationId: visit.user.organizationId, mode }, amount);
    return redirect(visit.href(path, { mode, notice: 'thresholdSaved' }));
  },
});

function walletFigure(visit: Visit, wallet: WalletView): Markup {
  const { texts, format } = visit;
  const { mode, balanceCents, isLow } = wallet;
  return html`<li class="sheet figure"><p class="figure-label">${texts.wallet.names[mode]}</p><p class="figure-value">${format.money(balanceCents)}</p><p class="quiet">${isLow ? badge('warning', texts.wallet.isLow) : texts.overview.balanceHint[mode]}</p></li>`;
}

function topUpForm(visit: Visit, sent: SentForm): Markup {
  const { amount, amountHint, topUpSubmit } = visit.texts.wallet;
  // Its own reference: pressed twice, the form fills the wallet once.
  return postForm(
    { visit, sent, action: topUpPath },
    (fields) => html`${fields.hidden('reference', randomUUID())}
${fields.text({ name: 'amount', label: amount, hint: amountHint, value: '100', maxLength: 12 })}
${fields.submit({ value: 'top-up', label: topUpSubmit })}`,
  );
}

function thresholdForm(visit: Visit, { mode, lowBalanceCents }: WalletView, sent: SentForm): Markup {
  const { thresholdLabel, thresholdHint, saveThreshold } = visit.texts.wallet;
  return postForm(
    { visit, sent, action: thresholdPath(mode) },
    (
      fields,
    ) => html`${fields.text({ name: 'amount', label: thresholdLabel, hint: thresholdHint, isOptional: true, maxLength: 12, value: lowBalanceCents === null ? '' : (lowBalanceCents / 100).toFixed(2) })}
${fields.submit({ value: 'save', label: saveThreshold, kind: 'plain' })}`,
  );
}

function thresholdPath(mode: Mode): string {
  return `${path}/${mode}/threshold`;
}
