import { fanOutWork } from '../events/event.model.ts';
import { countLiveMailJobs, type WaitingStatus } from '../mail-jobs/lifecycle/live-mail-jobs.ts';
import {
  collectWork,
  renderWork,
  slowRenderWork,
  stepWork,
  waitingStatuses,
} from '../mail-jobs/model/mail-job.model.ts';
import { countOrganizations } from '../organizations/read-organizations.ts';
import { countUsers } from '../organizations/users.ts';
import { readLastRun } from '../platform/due-work/chore.model.ts';
import { countDue, type WaitingWork } from '../platform/due-work/count-due.ts';
import type { DueSlot } from '../platform/due-work/due-work.ts';
import type { PauseRecord } from '../platform/due-work/pause.model.ts';
import { readPauses } from '../platform/due-work/pauses.ts';
import { partsWork, pressWork } from '../production/batches/batch.model.ts';
import { countBatchesForOperator } from '../production/operator/read-batches.ts';
import { deliveryWork } from '../webhooks/endpoints/endpoint.model.ts';
import { reconcileChore } from './reconcile.ts';

/** The state of the whole service, over all organizations. */
export type ServiceState = {
  /** What operators have paused, oldest first. */
  pauses: readonly PauseRecord[];
  /** Due work by kind. `batch`, `press` and `print-parts` are the queues of print production. */
  waiting: Record<'rendering' | 'batch' | 'press' | 'print-parts' | 'deliveries' | 'events' | 'steps', WaitingWork>;
  liveLetters: Record<WaitingStatus, number>;
  /** Batches that need an operator: their hand-over is in doubt, or they wait because of a problem. */
  batchesForOperator: number;
  organizationCount: number;
  userCount: number;
  /** Time of the last reconciliation, and its number of violations. */
  lastReconcile: { at: Date; count: number } | null;
};

/** Every count stops here. */
export const maxCounted = 10_000;

export async function readServiceState(now: Date): Promise<ServiceState> {
  const [{ current }, waiting, counts, batchesForOperator, organizationCount, userCount, lastReconcile] =
    await Promise.all([
      readPauses(),
      countWaiting(now),
      Promise.all(
        waitingStatuses.map(async (status) => [status, await countLiveMailJobs(status, maxCounted)] as const),
      ),
      countBatchesForOperator(maxCounted),
      countOrganizations(),
      countUsers(),
      readLastRun(reconcileChore),
    ]);
  const liveLetters = Object.fromEntries(counts) as ServiceState['liveLetters'];
  return {
    pauses: current.toSorted((left, right) => left.since.getTime() - right.since.getTime()),
    waiting,
    liveLetters,
    batchesForOperator,
    organizationCount,
    userCount,
    lastReconcile,
  };
}

async function countWaiting(now: Date): Promise<ServiceState['waiting']> {
  const due = (slot: DueSlot) => countDue(slot, now, maxCounted);
  const [fast, slow, batch, press, parts, deliveries, events, steps] = await Promise.all([
    ...([due(renderWork), due(slowRenderWork), due(collectWork), due(pressWork), due(partsWork)] as const),
    ...([due(deliveryWork), due(fanOutWork), due(stepWork)] as const),
  ]);
  return { rendering: addUp(fast, slow), batch, press, 'print-parts': parts, deliveries, events, steps };
}

function addUp(left: WaitingWork, right: WaitingWork): WaitingWork {
  const [oldestAt = null] = [left.oldestAt, right.oldestAt]
    .filter((at) => at !== null)
    .sort((a, b) => a.getTime() - b.getTime());
  return { count: Math.min(left.count + right.count, maxCounted), oldestAt };
}
