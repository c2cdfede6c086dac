import { randomUUID } from 'node:crypto';
import { html } from 'hono/html';
import { z } from 'zod';
import { badge } from '#api/web/design/badge.ts';
import { postForm } from '#api/web/design/form.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { pageHead, section } from '#api/web/design/page-parts.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { euros } from '#api/web/framework/forms/form-fields.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { actorOf } from '#api/web/visit/visit.ts';
import { modes } from '#common/modes.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import { listTransactions } from '#common/wallet/ledger/read-ledger.ts';
import { TransactionKind, toStatementLine } from '#common/wallet/ledger/transaction.view.ts';
import { maxThresholdCents, setLowBalance } from '#common/wallet/low-balance.ts';
import { testTopUp, topUpTestWallet } from '#common/wallet/top-up-test-wallet.ts';
import { toWalletView, type WalletView } from '#common/wallet/wallet.view.ts';
import { readWallet } from '#common/wallet/wallets.ts';
import { defineAction, definePage, type Visit } from './texts.ts';
import { transactionList } from './transaction-list.ts';

const path = '/account/wallet';
const topUpPath = `${path}/test-top-up`;
const transactionsShown = 25;
/** Live first. */
const shownModes = modes.toReversed();

/** Both wallets, forms to top them up, and the transactions of one of them. */
export const walletPage = definePage({
  path,
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
      title: visit.texts.frame.pages.wallet,
      body: html`${pageHead({
        title: visit.texts.frame.pages.wallet,
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
  form: z.object({ amount: euros({ maxCents: testTopUp.maxCents }), reference: z.uuid() }),
  page: walletPage,

  async run({ visit, form: { amount: cents, reference }, now }, { mailCommitter }) {
    if (cents === null) throw new FormRefusal({ amount: 'required' });
    const owner = { organizationId: visit.user.organizationId, mode: 'test' as const };
    // Exclusive: a top-up and a group commit that debit the same wallet would abort each other.
    const topUp = { cents, idempotencyKey: `page-${reference}` };
    await mailCommitter.runExclusive(() => topUpTestWallet(owner, topUp, now));
    return redirect(visit.href(path, { mode: 'test', notice: 'testWalletFilled' }));
  },
});

export const setLowBalanceAction = defineAction({
  path: `${path}/:mode/threshold`,
  params: z.object({ mode: z.enum(modes) }),
  form: z.object({ amount: euros({ maxCents: maxThresholdCents }) }),
  page: walletPage,

  async run({ visit, params: { mode }, form: { amount }, now }) {
    const stamp = { by: actorOf(visit), at: now };
    await setLowBalance({ organizationId: visit.user.organizationId, mode }, amount, stamp);
    return redirect(visit.href(path, { mode, notice: 'thresholdSaved' }));
  },
});

function walletFigure(visit: Visit, wallet: WalletView): Markup {
  const { texts, format } = visit;
  const { mode, balanceCents, isLow } = wallet;
  return html`<li class="sheet figure"><p class="figure-label">${texts.wallet.names[mode]}</p><p class="figure-value">${format.money(balanceCents)}</p><p class="quiet">${isLow ? badge('warning', texts.wallet.isLow) : texts.words.balanceHint[mode]}</p></li>`;
}

function topUpForm(visit: Visit, sent: SentForm): Markup {
  const { amount, amountHint, topUpSubmit } = visit.texts.wallet;
  // A unique reference, so a form that is submitted twice tops up once.
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
    { visit, sent, action: `${path}/${mode}/threshold` },
    (
      fields,
    ) => html`${fields.text({ name: 'amount', label: thresholdLabel, hint: thresholdHint, isOptional: true, maxLength: 12, value: lowBalanceCents === null ? '' : (lowBalanceCents / 100).toFixed(2) })}
${fields.submit({ value: 'save', label: saveThreshold, kind: 'plain' })}`,
  );
}
