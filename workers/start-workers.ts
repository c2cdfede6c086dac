import type { Clock } from '../common/clock.ts';
import type { WorkerName } from '../common/config.ts';
import { createRenderSlots } from '../common/documents/render-slots.ts';
import { renderWork, stepWork } from '../common/mail-jobs/mail-job.model.ts';
import type { SandboxTimes } from '../common/mail-jobs/sandbox-steps.ts';
import { choreWork, planChore } from '../common/platform/chore.model.ts';
import type { DueRow } from '../common/platform/due-work.ts';
import type { Log } from '../common/platform/log.ts';
import type { Mailer } from '../common/platform/mailer.ts';
import type { Hints } from '../common/platform/queues.ts';
import type { Redis } from '../common/platform/redis.ts';
import type { ObjectStore } from '../common/platform/s3.ts';
import type { KeyRing } from '../common/secrets.ts';
import { createAttemptRecorder } from '../common/webhooks/attempt-recorder.ts';
import type { DeliveryMetrics } from '../common/webhooks/delivery-metrics.ts';
import { deliveryWork } from '../common/webhooks/endpoint.model.ts';
import { fanOutWork } from '../common/webhooks/event.model.ts';
import type { Summon } from '../common/webhooks/fan-out-few.ts';
import type { WebhookSender } from '../common/webhooks/post-signed.ts';
import { type ClaimedWork, claimedWork } from './claimed-work.ts';
import { choreNames, cleanupWorker } from './cleanup.worker.ts';
import { fanOutWorker } from './fan-out.worker.ts';
import { lifecycleWorker } from './lifecycle.worker.ts';
import { renderWorker } from './render.worker.ts';
import { startScanner } from './scanner.ts';
import { startWatchdog } from './watchdog.ts';
import { webhookDeliveryWorker } from './webhook-delivery.worker.ts';
import { type Handle, type RunningWorker, startWorker, type WorkerDefinition } from './worker.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

export type WorkersOptions = {
  names: readonly WorkerName[];
  /** For waiting on messages: made for the role `worker`. */
  redis: Redis;
  /** For the scanner, which sends many hints at once: made for the role `patient`, as is what sends them. */
  patientRedis: Redis;
  scannerHints: Hints;
  prefix: string;
  /** For everything else: they fail at once when Redis is away. */
  hints: Hints;
  store: ObjectStore;
  sender: WebhookSender;
  keyRing: KeyRing;
  sandbox: SandboxTimes;
  mailer: Mailer;
  /** The address of the web host, to which mails lead. */
  authUrl: string;
  /** How long a worker that died keeps what it had claimed. */
  leaseMs: number;
  metrics: DeliveryMetrics;
  workerMetrics: WorkerMetrics;
  clock: Clock;
  log: Log;
};

/** Everything that can fall due, for the scanner. */
const slots = [fanOutWork, deliveryWork, renderWork, stepWork, choreWork];

/**
 * Starts the workers that are named. `close` ends them in order: nothing new is taken, what runs is finished. `giveUp`
 * is called when work waits that this process cannot be brought to take: it should end, and be started anew.
 */
export async function startWorkers(
  options: WorkersOptions,
  giveUp: (reason: string) => void = () => {},
): Promise<{ close(): Promise<void> }> {
  const { names, scannerHints, clock } = options;
  const start = (name: WorkerName, define: () => WorkerDefinition): RunningWorker[] =>
    names.includes(name) ? [startWorker(define(), options)] : [];
  const claimed = <Row extends DueRow>(work: ClaimedWork<Row>) => claimedWork(work, options);
  const sending = () => ({ ...options, random: Math.random });

  for (const chore of choreNames) await planChore(chore, clock.now());
  const scanner = names.includes('scanner')
    ? startScanner({ ...options, slots, hints: scannerHints, redis: options.patientRedis })
    : null;
  const deliveryWorker = webhookDeliveryWorker({ ...sending(), recorder: createAttemptRecorder(sending()) });
  const delivery = start('webhook-delivery', () => deliveryWorker.definition);
  const offer = (endpointId: string, work?: Handle) => delivery.some((worker) => worker.offer(endpointId, work));
  const summon: Summon = (expected) => deliveryWorker.summon(expected, offer);
  const workers = [
    ...delivery,
    ...start('fan-out', () => fanOutWorker({ ...options, offer, summon })),
    ...start('render', () => claimed(renderWorker({ ...options, slots: createRenderSlots() }))),
    ...start('lifecycle', () => claimed(lifecycleWorker(options))),
    ...start('cleanup', () => claimed(cleanupWorker(options))),
  ];
  const watchdog = startWatchdog({ ...options, workers, slots, redis: options.patientRedis, giveUp });

  return {
    async close() {
      watchdog.close();
      await scanner?.close();
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
