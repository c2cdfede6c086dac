import { html } from 'hono/html';
import { waitingStatuses } from '../../../../common/mail-jobs/mail-job.model.ts';
import { maxCounted, readServiceState, type ServiceState } from '../../../../common/mail-jobs/read-service-state.ts';
import type { WaitingWork } from '../../../../common/platform/count-due.ts';
import { isMongoReady } from '../../../../common/platform/mongo.ts';
import { areQueuesReachable } from '../../../../common/platform/queues.ts';
import { view } from '../../answer.ts';
import type { Markup } from '../../markup.ts';
import { adminLinks } from '../../navigation.ts';
import { definePage, type WebServices } from '../../page.ts';
import { badge } from '../../views/badge.ts';
import { facts, pageHead, section } from '../../views/page-parts.ts';
import { table } from '../../views/table.ts';
import type { Visit } from '../../visit.ts';

const path = '/admin';
/** A store that answers later than this is shown as away. */
const healthWithinMs = 2_000;
/** Work that is due is done within seconds: what waits longer than this has nobody who does it. */
const lateMs = 60_000;

/** Whether the stores answer, what waits, and the ways to everything that administrators do. */
export const adminOverviewPage = definePage({
  path,
  access: 'admin',

  async show({ visit, now }, services) {
    const [stores, state] = await Promise.all([readStores(services), readServiceState(now)]);
    return view({
      title: 'System',
      body: html`${pageHead({ title: 'System', lead: 'All organizations of this installation.' })}
${section('Stores', storeFacts(stores))}
${section('Due work', dueTable(visit, state.waiting, now))}
${section('Live letters on their way', letterFacts(visit, state))}
${section('Ledger and accounts', ledgerFacts(visit, state))}
${section('Administer', linkList(visit))}`,
    });
  },
});

type Stores = { mongo: boolean; redis: boolean; objectStore: boolean };

async function readStores({ hints, store }: WebServices): Promise<Stores> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), healthWithinMs);
  const isStoreThere = store.check().then(
    () => true,
    () => false,
  );
  const [mongo, redis, objectStore] = await Promise.all([
    isMongoReady(healthWithinMs),
    areQueuesReachable(hints, healthWithinMs),
    Promise.race([isStoreThere, late]),
  ]).finally(() => clearTimeout(timer));
  return { mongo, redis, objectStore };
}

function storeFacts({ mongo, redis, objectStore }: Stores): Markup {
  const state = (isThere: boolean) => (isThere ? badge('success', 'Reachable') : badge('danger', 'Away'));
  return facts([
    ['MongoDB', state(mongo)],
    ['Redis', state(redis)],
    ['Object store', state(objectStore)],
  ]);
}

type DueRow = { label: string; work: WaitingWork };

function dueTable({ format }: Visit, waiting: ServiceState['waiting'], now: Date): Markup {
  const rows: DueRow[] = [
    { label: 'Letters to be rendered', work: waiting.rendering },
    { label: 'Webhook endpoints with deliveries due', work: waiting.deliveries },
    { label: 'Events to be turned into deliveries', work: waiting.events },
    { label: 'Sandbox letters whose next step is due', work: waiting.steps },
  ];
  const isLate = ({ oldestAt }: WaitingWork) => oldestAt !== null && now.getTime() - oldestAt.getTime() > lateMs;
  return table<DueRow>(
    'Due work',
    [
      { label: 'Work', cell: ({ label }) => html`<strong>${label}</strong>` },
      { label: 'Waiting', isNumber: true, cell: ({ work }) => countOf(format.number, work.count) },
      { label: 'Oldest due', cell: ({ work: { oldestAt } }) => (oldestAt ? format.moment(oldestAt) : 'None') },
      { label: 'State', cell: ({ work }) => (isLate(work) ? badge('warning', 'Late') : badge('success', 'In time')) },
    ],
    rows,
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

function ledgerFacts({ format }: Visit, { lastReconcile, organizationCount, userCount }: ServiceState): Markup {
  const outcome = ({ at, count }: { at: Date; count: number }) =>
    html`${count === 0 ? badge('success', 'Adds up') : badge('danger', `${format.number(count)} faults`)} ${format.moment(at)}`;
  return facts([
    ['Last check of the ledger', lastReconcile ? outcome(lastReconcile) : 'Not yet'],
    ['Organizations', format.number(organizationCount)],
    ['Users', format.number(userCount)],
  ]);
}

function countOf(number: (value: number) => string, count: number): string {
  return count < maxCounted ? number(count) : `${number(maxCounted)} or more`;
}

function linkList({ texts, href }: Visit): Markup {
  const others = adminLinks.filter((link) => link.path !== path);
  return html`<ul class="links">${others.map((link) => html`<li><a href="${link.isForeign ? link.path : href(link.path)}">${texts.frame.pages[link.label]}</a></li>`)}</ul>`;
}
