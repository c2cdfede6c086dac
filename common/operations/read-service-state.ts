import { fanOutWork } from '../events/event.model.ts';
import { countLiveMailJobs, type WaitingStatus } from '../mail-jobs/lifecycle/live-mail-jobs.ts';
import { renderWork, slowRenderWork, stepWork, waitingStatuses } from '../mail-jobs/model/mail-job.model.ts';
import { countOrganizations } from '../organizations/read-organizations.ts';
import { countUsers } from '../organizations/users.ts';
import { readLastRun } from '../platform/due-work/chore.model.ts';
import { countDue, type WaitingWork } from '../platform/due-work/count-due.ts';
import { countBatchesForOperator } from '../production/operator/read-batches.ts';
import { deliveryWork } from '../webhooks/endpoints/endpoint.model.ts';
import { reconcileChore } from './reconcile.ts';

/** The state of the whole service, over all organizations. */
export type ServiceState = {
  waiting: Record<'rendering' | 'deliveries' | 'events' | 'steps', WaitingWork>;
  liveLetters: Record<WaitingStatus, number>;
  /** Batches of which only a person can tell what became, or that wait because of a problem. */
  batchesForOperator: number;
  organizationCount: number;
  userCount: number;
  /** Time of the last reconciliation, and its number of violations. */
  lastReconcile: { at: Date; count: number } | null;
};

/** Every count stops here. */
export const maxCounted = 10_000;

export async function readServiceState(now: Date): Promise<ServiceState> {
  const due = (slot: typeof renderWork) => countDue(slot, now, maxCounted);
  const [waiting, counts, batchesForOperator, organizationCount, userCount, lastReconcile] = await Promise.all([
    Promise.all([renderWork, slowRenderWork, deliveryWork, fanOutWork, stepWork].map(due)),
    Promise.all(waitingStatuses.map(async (status) => [status, await countLiveMailJobs(status, maxCounted)] as const)),
    countBatchesForOperator(maxCounted),
    countOrganizations(),
    countUsers(),
    readLastRun(reconcileChore),
  ]);
  const [fast = none, slow = none, deliveries = none, events = none, steps = none] = waiting;
  const liveLetters = Object.fromEntries(counts) as ServiceState['liveLetters'];
  return {
    waiting: { rendering: addUp(fast, slow), deliveries, events, steps },
    liveLetters,
    batchesForOperator,
    organizationCount,
    userCount,
    lastReconcile,
  };
}

const none: WaitingWork = { count: 0, oldestAt: null };

function addUp(left: WaitingWork, right: WaitingWork): WaitingWork {
  const [oldestAt = null] = [left.oldestAt, right.oldestAt]
    .filter((at) => at !== null)
    .sort((a, b) => a.getTime() - b.getTime());
  return { count: Math.min(left.count + right.count, maxCounted), oldestAt };
}
