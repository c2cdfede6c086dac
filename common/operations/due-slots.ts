import { bulkCheckWork, bulkSendWork } from '../bulk/model/bulk.model.ts';
import { fanOutWork } from '../events/event.model.ts';
import { collectWork, renderWork, slowRenderWork, stepWork } from '../mail-jobs/model/mail-job.model.ts';
import { preflightWork } from '../mail-jobs/preflight/preflight.model.ts';
import { choreWork } from '../platform/due-work/chore.model.ts';
import type { DueSlot } from '../platform/due-work/due-work.ts';
import { partsWork, pressWork } from '../production/batches/batch.model.ts';
import { clockWork } from '../sandbox/clocks/sandbox-clock.model.ts';
import { typesetWork } from '../templates/typeset-job.model.ts';
import { deliveryWork } from '../webhooks/endpoints/endpoint.model.ts';

/** All kinds of due work. */
export const dueSlots: readonly DueSlot[] = [
  fanOutWork,
  deliveryWork,
  renderWork,
  slowRenderWork,
  preflightWork,
  typesetWork,
  bulkCheckWork,
  bulkSendWork,
  collectWork,
  pressWork,
  partsWork,
  stepWork,
  clockWork,
  choreWork,
];
