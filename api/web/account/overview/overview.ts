import { html } from 'hono/html';
import { modeBadge, statusBadge } from '#api/web/design/badge.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { emptyState, pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import type { CursorCodec } from '#common/cursor.ts';
import { listMailJobs } from '#common/mail-jobs/read/read-mail-jobs.ts';
import type { SummaryRecord } from '#common/mail-jobs/views/mail-job.view.ts';
import { type Mode, modes } from '#common/modes.ts';
import { type Attention, findAttention } from '#common/operations/find-attention.ts';
import { type LettersReport, readLettersReport } from '#common/reports/letters-report.ts';
import { completeReportPeriod, type ReportPeriod } from '#common/reports/report-period.ts';
import type { WalletView } from '#common/wallet/wallet.view.ts';
import { readWallet } from '#common/wallet/wallets.ts';
import { findUsedMode, letterLink, sendLink } from '../letters/letters.ts';
import { lettersChart } from '../reports/letters-chart.ts';
import { nullWhenBusy } from '../reports/null-when-busy.ts';
import { definePage, type Visit } from './texts.ts';

const recentCount = 8;
/** Live first. */
const shownModes = modes.toReversed();

/** Overview of an account: wallets, what needs attention, and the latest letters of both modes. */
export const overviewPage = definePage({
  path: '/account',

  async show({ visit, now }, { cursors }) {
    const { organizationId } = visit.user;
    const owners = shownModes.map((mode) => ({ organizationId, mode }));
    const [wallets, attention, letters, ...pages] = await Promise.all([
      Promise.all(owners.map(readWallet)),
      findAttention(organizationId, cursors, now),
      readRecentReport(organizationId, cursors, now),
      ...owners.map((owner) => listMailJobs(owner, { limit: recentCount }, cursors)),
    ]);
    const newestFirst = pages.flatMap(({ rows }) => rows).toSorted((left, right) => (left._id < right._id ? 1 : -1));
    const texts = visit.texts.overview;
    return view({
      title: visit.texts.frame.pages.overview,
      body: html`${pageHead({ title: visit.texts.frame.pages.overview, actions: sendLink(visit) })}
${attentionList(visit, attention)}
<h2 class="visually-hidden">${texts.wallets}</h2>
<ul class="figures">${wallets.map((wallet) => walletFigure(visit, wallet))}</ul>
${lettersSection(visit, letters)}
${section(
  texts.recent,
  recentLetters(visit, newestFirst.slice(0, recentCount)),
  html`<a href="${visit.href('/account/letters')}">${texts.allLetters}</a>`,
)}`,
    });
  },
});

type RecentReport = { mode: Mode; period: ReportPeriod; report: LettersReport | null };

/** Reads the letters of the last 30 days in the mode that the organization uses. */
async function readRecentReport(organizationId: string, cursors: CursorCodec, now: Date): Promise<RecentReport> {
  const mode = await findUsedMode(organizationId, cursors);
  const period = completeReportPeriod({}, 'day', now);
  return { mode, period, report: await nullWhenBusy(readLettersReport({ organizationId, mode }, period)) };
}

/** Renders the first chart of the reports. Absent without letters, as the list below says so, and when it was late. */
function lettersSection(visit: Visit, { mode, period, report }: RecentReport): Markup {
  if (report === null || report.totals.total === 0) return nothing;
  const { reports, words } = visit.texts;
  return section(
    `${reports.lettersBy.day} (${words.modes[mode]})`,
    lettersChart(visit, period, report),
    html`<a href="${visit.href('/account/reports', { mode })}">${reports.all}</a>`,
  );
}

function walletFigure(
  { texts, format }: Visit,
  { mode, balanceCents }: Pick<WalletView, 'mode' | 'balanceCents'>,
): Markup {
  const { balance } = texts.overview;
  return html`<li class="sheet figure"><p class="figure-label">${balance[mode]}</p><p class="figure-value">${format.money(balanceCents)}</p><p class="quiet">${texts.words.balanceHint[mode]}</p></li>`;
}

function attentionList(visit: Visit, attention: readonly Attention[]): Markup {
  const texts = visit.texts.overview;
  if (attention.length === 0) return html``;
  return html`<section class="attention"><h2 class="visually-hidden">${texts.attention}</h2>${attention.map((item) => notice('warning', describe(visit, item)))}</section>`;
}

function describe({ texts, format }: Visit, item: Attention): string {
  if (item.kind === 'lowBalance') return texts.overview.lowBalance(format.money(item.balanceCents));
  return texts.overview[item.kind](item.count, texts.words.modes[item.mode]);
}

function recentLetters(visit: Visit, letters: readonly SummaryRecord[]): Markup {
  const { texts, format } = visit;
  const words = texts.overview;
  if (letters.length === 0) {
    const link = html`<a class="button plain" href="${visit.href('/account/api-keys')}">${words.makeKey}</a>`;
    return emptyState(words.noLetters, words.noLettersHint, link);
  }
  return table<SummaryRecord>(
    words.recent,
    [
      { label: words.letter, cell: (letter) => letterLink(visit, letter) },
      { label: texts.words.labels.status, cell: ({ status }) => statusBadge(texts, status) },
      { label: texts.words.labels.mode, cell: ({ mode }) => modeBadge(texts, mode) },
      { label: words.recipient, isNumber: true, cell: ({ amounts }) => format.number(amounts.recipientCount) },
      { label: words.price, isNumber: true, cell: ({ amounts }) => format.money(amounts.totalCents) },
      { label: words.created, cell: ({ createdAt }) => format.moment(createdAt) },
    ],
    letters,
  );
}
