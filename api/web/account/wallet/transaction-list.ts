import { html } from 'hono/html';
import { type BadgeKind, badge } from '#api/web/design/badge.ts';
import { filterLinks } from '#api/web/design/filter-links.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { emptyState, pagination, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { type Mode, modes } from '#common/modes.ts';
import { type StatementLine, TransactionKind } from '#common/wallet/ledger/transaction.view.ts';
import type { Visit } from './texts.ts';

type TransactionQuery = { mode: Mode; kind?: TransactionKind | undefined; cursor?: string | undefined };
type Shown = { lines: readonly StatementLine[]; nextCursor: string | null; query: TransactionQuery; path: string };

/** Renders the transactions of a wallet, newest first, with filters. */
export function transactionList(visit: Visit, { lines, nextCursor, query, path }: Shown): Markup {
  const { texts } = visit;
  const words = texts.wallet;
  const { cursor, ...filter } = query;
  const wallets = modes.toReversed().map((mode) => ({
    label: texts.words.modes[mode],
    href: visit.href(path, { ...filter, mode }),
    isCurrent: mode === query.mode,
  }));
  const kinds = [undefined, ...TransactionKind.options].map((kind) => ({
    label: kind ? words.kinds[kind] : texts.words.labels.all,
    href: visit.href(path, { ...filter, kind }),
    isCurrent: kind === query.kind,
  }));
  const title = words.transactionsOf[query.mode];
  const list =
    lines.length === 0 ? emptyState(words.none, words.noneHint) : transactionTable(visit, { caption: title, lines });
  return section(
    title,
    html`${filterLinks(words.wallet, wallets)}
${filterLinks(words.kind, kinds)}
${list}
${pagination({ visit, path, query: filter, cursor, nextCursor })}`,
  );
}

const kindsOfBadges: Record<TransactionKind, BadgeKind> = {
  debit: 'neutral',
  refund: 'info',
  top_up: 'success',
  adjustment: 'warning',
};

/** Renders transactions with the balance after each. */
export function transactionTable(
  visit: Visit,
  { caption, lines }: { caption: string; lines: readonly StatementLine[] },
): Markup {
  const { texts, format } = visit;
  const words = texts.wallet;
  return table<StatementLine>(
    caption,
    [
      { label: words.date, cell: ({ createdAt }) => format.moment(new Date(createdAt)) },
      { label: words.kind, cell: ({ kind }) => kindBadge(words.kinds, kind) },
      { label: words.concerns, cell: concerns },
      { label: words.money, isNumber: true, cell: ({ amountCents }) => format.money(amountCents) },
      { label: words.balanceAfter, isNumber: true, cell: ({ balanceAfterCents }) => format.money(balanceAfterCents) },
    ],
    lines,
  );
}

function kindBadge(words: Record<string, string>, kind: string): Markup {
  const kinds: Record<string, BadgeKind> = kindsOfBadges;
  return badge(kinds[kind] ?? 'neutral', words[kind] ?? kind);
}

/** Renders the mail job, or the reason and reference, of a transaction. */
function concerns({ mailJobId, reference, reason }: StatementLine): Markup {
  if (mailJobId !== null) return html`<code class="breakable">${mailJobId}</code>`;
  const parts = [reason, reference].filter((part) => part !== null);
  return html`<span class="breakable">${parts.join(', ')}</span>`;
}
