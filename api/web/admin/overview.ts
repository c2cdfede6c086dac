import { html } from 'hono/html';
import { adminLinks } from '#api/web/design/navigation.ts';
import type { WebServices } from '#api/web/framework/page.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { waitingStatuses } from '#common/mail-jobs/model/mail-job.model.ts';
import { maxCounted, readServiceState, type ServiceState } from '#common/operations/read-service-state.ts';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import type { WaitingWork } from '#common/platform/due-work/count-due.ts';
import { isMongoReady } from '#common/platform/mongo/mongo.ts';
import { areQueuesReachable } from '#common/platform/redis/queues.ts';
import { badge } from '../design/badge.ts';
import type { Markup } from '../design/markup.ts';
import { facts, pageHead, section } from '../design/page-parts.ts';
import { table } from '../design/table.ts';
import { view } from '../framework/answer.ts';
import { definePage } from './admin-pages.ts';

const path = '/admin';
/** Stores that take longer to respond are shown as not reachable. A slow store still counts as reachable. */
const healthWithinMs = 5_000;
/** Due work is normally done within seconds. If it waits longer than this, no worker is processing it. */
const lateMs = 60_000;

/** The state of the stores, due work and the ledger, with links to the other pages for administrators. */
export const adminOverviewPage = definePage({
  path,

  async show({ visit, now }, services) {
    const [stores, state] = await Promise.all([readStores(services), readServiceState(now)]);
    return view({
      title: 'System',
      body: html`${pageHead({ title: 'System', lead: 'All organizations of this installation.' })}
${section('Stores', storeFacts(stores))}
${state.pauses.length > 0 ? section('Paused', pauseTable(visit, state.pauses)) : ''}
${section('Due work', dueTable(visit, state.waiting, now))}
${section('Live letters in progress', letterFacts(visit, state))}
${section('Print production', pressFacts(visit, state))}
${section('Ledger and accounts', ledgerFacts(visit, state))}
${section('Administer', linkList(visit))}`,
    });
  },
});

type Stores = { mongo: boolean; redis: boolean; objectStore: boolean };

async function readStores({ boardHints, store }: WebServices): Promise<Stores> {
  const isStoreThere = store.check().then(() => true);
  const [mongo, redis, objectStore] = await Promise.all([
    isMongoReady(healthWithinMs),
    areQueuesReachable(boardHints, healthWithinMs),
    withTimeout(isStoreThere, healthWithinMs, () => false).catch(() => false),
  ]);
  return { mongo, redis, objectStore };
}

function storeFacts({ mongo, redis, objectStore }: Stores): Markup {
  const state = (isThere: boolean) => (isThere ? badge('success', 'Reachable') : badge('danger', 'Not reachable'));
  return facts([
    ['MongoDB', state(mongo)],
    ['Redis', state(redis)],
    ['Object store', state(objectStore)],
  ]);
}

type DueRow = { label: string; work: WaitingWork };

function dueTable({ format }: Visit, waiting: ServiceState['waiting'], now: Date): Markup {
  const rows: DueRow[] = [
    { label: 'Letters to render', work: waiting.rendering },
    { label: 'Letters to collect for their batches', work: waiting.batch },
    { label: 'Batches to close, hand over or ask about', work: waiting.press },
    { label: 'Batches whose letters are to be merged', work: waiting['print-parts'] },
    { label: 'Webhook endpoints with due deliveries', work: waiting.deliveries },
    { label: 'Events to fan out to webhooks', work: waiting.events },
    { label: 'Sandbox letters with a due step', work: waiting.steps },
  ];
  const isLate = ({ oldestAt }: WaitingWork) => oldestAt !== null && now.getTime() - oldestAt.getTime() > lateMs;
  return table<DueRow>(
    'Due work',
    [
      { label: 'Work', cell: ({ label }) => html`<strong>${label}</strong>` },
      { label: 'Waiting', isNumber: true, cell: ({ work }) => countOf(format.number, work.count) },
      { label: 'Oldest due', cell: ({ work: { oldestAt } }) => (oldestAt ? format.moment(oldestAt) : 'None') },
      { label: 'State', cell: ({ work }) => (isLate(work) ? badge('warning', 'Late') : badge('success', 'On time')) },
    ],
    rows,
  );
}

function pauseTable({ format, href }: Visit, pauses: ServiceState['pauses']): Markup {
  return table<ServiceState['pauses'][number]>(
    'Paused',
    [
      { label: 'Work', cell: ({ work }) => badge('warning', work) },
      {
        label: 'Of',
        cell: ({ organizationId }) =>
          organizationId === null
            ? 'All organizations'
            : html`<a href="${href(`/admin/organizations/${organizationId}`)}">${organizationId}</a>`,
      },
      { label: 'Since', cell: ({ since }) => format.moment(since) },
      { label: 'By', cell: ({ by }) => by },
      { label: 'Reason', cell: ({ reason }) => reason },
    ],
    pauses,
  );
}

function letterFacts({ texts, format, href }: Visit, { liveLetters }: ServiceState): Markup {
  return facts(
    waitingStatuses.map((status) => [
      texts.words.statuses[status],
      html`<a href="${href('/admin/letters', { status })}">${countOf(format.number, liveLetters[status])}</a>`,
    ]),
  );
}

function pressFacts({ format, href }: Visit, { batchesForOperator }: ServiceState): Markup {
  const count = countOf(format.number, batchesForOperator);
  const state = batchesForOperator === 0 ? badge('success', 'None') : badge('danger', count);
  return facts([['Batches that need you', html`<a href="${href('/admin/press')}">${state}</a>`]]);
}

function ledgerFacts({ format }: Visit, { lastReconcile, organizationCount, userCount }: ServiceState): Markup {
  const outcome = ({ at, count }: { at: Date; count: number }) =>
    html`${count === 0 ? badge('success', 'No problems') : badge('danger', `${format.number(count)} problems`)} ${format.moment(at)}`;
  return facts([
    ['Last ledger check', lastReconcile ? outcome(lastReconcile) : 'Not yet'],
    ['Organizations', format.number(organizationCount)],
    ['Users', format.number(userCount)],
  ]);
}

function countOf(number: (value: number) => string, count: number): string {
  return count < maxCounted ? number(count) : `${number(maxCounted)} or more`;
}

function linkList({ texts, href }: Visit): Markup {
  const others = adminLinks.filter((link) => link.path !== path);
  return html`<ul class="links">${others.map((link) => html`<li><a href="${link.isExternal ? link.path : href(link.path)}">${texts.frame.pages[link.label]}</a></li>`)}</ul>`;
}
