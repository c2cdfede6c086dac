import { html } from 'hono/html';
import { z } from 'zod';
import { badge } from '#api/web/design/badge.ts';
import { filterLinks } from '#api/web/design/filter-links.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import { monthsBetween, readMonth } from '#common/calendar.ts';
import { type Mode, modes } from '#common/modes.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import { definePage, type Visit } from './texts.ts';

const path = '/account/wallet/statements';

type MonthRow = { month: string; startsAt: Date; isOver: boolean };

/** Lists the months of a wallet since its organization was created. */
export const statementsPage = definePage({
  path,
  query: z.object({ mode: z.enum(modes).default('live') }),

  async show({ visit, query: { mode }, now }) {
    const { texts } = visit;
    const { createdAt } = await readOrganization(visit.user.organizationId);
    const months = monthsBetween(createdAt, now).flatMap((month): MonthRow[] => {
      const period = readMonth(month);
      return period === null ? [] : [{ month, startsAt: period.startsAt, isOver: period.endsAt <= now }];
    });
    const wallets = modes.toReversed().map((each) => ({
      label: texts.words.modes[each],
      href: visit.href(path, { mode: each }),
      isCurrent: each === mode,
    }));
    return view({
      title: texts.statements.title,
      body: html`${pageHead({ title: texts.statements.title, lead: texts.statements.lead })}
${section(texts.wallet.names[mode], html`${filterLinks(texts.wallet.wallet, wallets)}${monthTable(visit, mode, months)}`)}`,
    });
  },
});

function monthTable(visit: Visit, mode: Mode, months: readonly MonthRow[]): Markup {
  const { texts, format } = visit;
  const words = texts.statements;
  const hrefOf = (month: string, query = {}) => visit.href(`${path}/${mode}/${month}`, query);
  return table<MonthRow>(
    words.title,
    [
      {
        label: words.month,
        cell: ({ month, startsAt }) =>
          html`<a href="${hrefOf(month)}" aria-label="${words.openOf(format.month(startsAt))}"><strong>${format.month(startsAt)}</strong></a>`,
      },
      {
        label: texts.words.labels.status,
        cell: ({ isOver }) => (isOver ? badge('success', words.final) : badge('info', words.running)),
      },
      {
        label: words.csv,
        isLabelHidden: true,
        cell: ({ month, startsAt }) =>
          html`<span class="actions">${downloadLinks(visit, { mode, month, name: format.month(startsAt) })}</span>`,
      },
    ],
    months,
  );
}

/** Renders the download links of a statement. */
export function downloadLinks(
  visit: Visit,
  { mode, month, name }: { mode: Mode; month: string; name: string },
): Markup {
  const { csv, json, downloadOf } = visit.texts.statements;
  const link = (format: string, label: string) =>
    html`<a class="button plain" href="${visit.href(`${path}/${mode}/${month}`, { format })}" aria-label="${downloadOf(label, name)}">${label}</a>`;
  return html`${link('csv', csv)}${link('json', json)}`;
}
