import { countOrganizations } from '../organizations/list-organizations.ts';
import { countUsers } from '../organizations/list-users.ts';
import { readLastRun } from '../platform/chore.model.ts';
import { countDue, type WaitingWork } from '../platform/count-due.ts';
import { deliveryWork } from '../webhooks/endpoint.model.ts';
import { fanOutWork } from '../webhooks/event.model.ts';
import { countLiveLetters, type WaitingStatus } from './live-letters.ts';
import { renderWork, stepWork, waitingStatuses } from './mail-job.model.ts';
import { reconcileChore } from './reconcile.ts';

/** How the service as a whole stands, over all organizations. */
export type ServiceState = {
  waiting: Record<'rendering' | 'deliveries' | 'events' | 'steps', WaitingWork>;
  liveLetters: Record<WaitingStatus, number>;
  organizationCount: number;
  userCount: number;
  /** When wallets, ledger and mail jobs were last held against each other, and how much did not fit. */
  lastReconcile: { at: Date; count: number } | null;
};

/** Nothing is counted further than this. */
export const maxCounted = 10_000;

export async function readServiceState(now: Date): Promise<ServiceState> {
  const due = (slot: typeof renderWork) => countDue(slot, now, maxCounted);
  const [waiting, counts, organizationCount, userCount, lastReconcile] = await Promise.all([
    Promise.all([due(renderWork), due(deliveryWork), due(fanOutWork), due(stepWork)]),
    Promise.all(waitingStatuses.map(async (status) => [status, await countLiveLetters(status, maxCounted)] as const)),
    countOrganizations(),
    countUsers(),
    readLastRun(reconcileChore),
  ]);
  const [rendering, deliveries, events, steps] = waiting;
  const liveLetters = Object.fromEntries(counts) as ServiceState['liveLetters'];
  return {
    waiting: { rendering, deliveries, events, steps },
    liveLetters,
    organizationCount,
    userCount,
    lastReconcile,
  };
}
