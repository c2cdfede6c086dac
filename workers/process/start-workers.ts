import type { Clock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import type { EnvelopeWindow, WorkerName } from '#common/config/variables.ts';
import { createRenderSlots, defaultSlotSettings } from '#common/documents/isolation/render-slots.ts';
import type { TypesettingPool } from '#common/documents/typesetting/typesetting-pool.ts';
import type { WarmPool } from '#common/documents/warm/warm-pool.ts';
import type { MailCommitter } from '#common/mail-jobs/create/mail-committer.ts';
import type { Mode } from '#common/modes.ts';
import { dueSlots } from '#common/operations/due-slots.ts';
import { planChore } from '#common/platform/due-work/chore.model.ts';
import type { DueRow } from '#common/platform/due-work/due-work.ts';
import type { Pauses } from '#common/platform/due-work/pauses.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Mailer } from '#common/platform/process/mailer.ts';
import type { ScanState } from '#common/platform/process/metrics.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { Redis } from '#common/platform/redis/redis.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { RetentionRules } from '#common/production/retention/retain.ts';
import type { PressDeps } from '#common/production/submission/press-steps.ts';
import type { SandboxTimes } from '#common/sandbox/steps/sandbox-steps.ts';
import type { KeyRing } from '#common/secrets.ts';
import type { CutoffRules, PrintRule } from '#common/services.ts';
import { createAttemptRecorder } from '#common/webhooks/deliveries/attempt-recorder.ts';
import type { DeliveryMetrics } from '#common/webhooks/deliveries/delivery-metrics.ts';
import type { WebhookClient } from '#common/webhooks/egress/webhook-client.ts';
import type { TargetUrlCheck } from '#common/webhooks/registry/create-webhook.ts';
import { bulkWorkers } from '../bulk.worker.ts';
import { type ClaimedWork, claimedWork } from '../claimed-work.ts';
import { choreNames, cleanupWorker } from '../cleanup/cleanup.worker.ts';
import { fanOutWorker } from '../fan-out.worker.ts';
import { lifecycleWorker } from '../lifecycle.worker.ts';
import { preflightWorker } from '../preflight.worker.ts';
import { printPartsWorker } from '../print-parts.worker.ts';
import { productionWorkers } from '../production.worker.ts';
import { renderWorkers } from '../render.worker.ts';
import { sandboxClockWorker } from '../sandbox-clock.worker.ts';
import { startScanner } from '../scanner/scanner.ts';
import { typesetWorker } from '../typeset.worker.ts';
import { webhookDeliveryWorker } from '../webhook-delivery.worker.ts';
import { type RunningWorker, startWorker, type WorkerDefinition } from '../worker.ts';
import type { LetterMetrics } from './letter-metrics.ts';
import { startWatchdog } from './watchdog.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

export type WorkersOptions = {
  names: readonly WorkerName[];
  /** For blocking reads: a client of the role `worker`. */
  redis: Redis;
  /** For the scanner, which sends many hints at once: a client of the role `bulk`, also used by `scannerHints`. */
  bulkRedis: Redis;
  scannerHints: Hints;
  prefix: string;
  /** For everything else: fails at once when Redis is unreachable. */
  hints: Hints;
  store: ObjectStore;
  /** Processes that render small PDFs; null when every file gets a process of its own. */
  warmPool: WarmPool | null;
  /** Processes that make letters of templates. */
  typesetting: TypesettingPool;
  webhookClient: WebhookClient;
  /** Only `webhook-delivery` needs it, to sign. */
  keyRing: KeyRing | null;
  envelopeWindow: EnvelopeWindow;
  sandbox: SandboxTimes;
  cutoffs: CutoffRules;
  printRules: readonly PrintRule[];
  providers: PressDeps['providers'];
  retention: RetentionRules;
  maxStoredBytes: Record<Mode, number>;
  /** Commits the letters of bulks. */
  mailCommitter: MailCommitter;
  checkTargetUrl: TargetUrlCheck;
  /** Where carriers report about registered letters; null when they do not. */
  carrierFolder: string | null;
  mailer: Mailer;
  concurrency: Config['concurrency'];
  /** What an operator has paused, as this process knows it. */
  pauses: Pauses;
  /** The URL of the web host, for links in mails. */
  authUrl: string;
  /** How long a dead worker's claims last. */
  leaseMs: number;
  metrics: DeliveryMetrics;
  letterMetrics: LetterMetrics;
  workerMetrics: WorkerMetrics;
  /** Whether this process scans. Set by the scanner. */
  scanState: ScanState;
  clock: Clock;
  log: Log;
};

/**
 * Starts the workers in `names`. `close` stops them: no new work is claimed, running work is finished. `onStalled` is
 * called when a worker stays stalled after a restart: the process should exit and be restarted.
 */
export async function startWorkers(
  options: WorkersOptions,
  onStalled: (reason: string) => void = () => {},
): Promise<{ close(): Promise<void> }> {
  const { names, scannerHints, clock } = options;
  const start = (name: WorkerName, define: () => WorkerDefinition): RunningWorker[] =>
    names.includes(name) ? [startWorker(define(), options)] : [];
  const claimed = <Row extends DueRow>(work: ClaimedWork<Row>) => claimedWork(work, options);
  const sending = () => ({ ...options, random: Math.random });

  for (const chore of choreNames) await planChore(chore, clock.now());
  const scanner = names.includes('scanner')
    ? startScanner({ ...options, slots: dueSlots, hints: scannerHints, redis: options.bulkRedis })
    : null;
  const shared = {
    ...options,
    slots: createRenderSlots({ ...defaultSlotSettings, fastSlots: options.concurrency.renderSlots }),
  };
  const rendering = [
    ...renderWorkers(shared).map(claimed),
    claimed(preflightWorker(shared)),
    claimed(typesetWorker(shared)),
    claimed(printPartsWorker(shared)),
    ...bulkWorkers(shared),
  ];
  const workers = [
    ...start('fan-out', () => fanOutWorker(options)),
    ...start('webhook-delivery', () => {
      const { keyRing } = options;
      if (!keyRing) throw new Error('The worker webhook-delivery needs ENCRYPTION_KEYS');
      return claimed(webhookDeliveryWorker({ ...sending(), keyRing, recorder: createAttemptRecorder(sending()) }));
    }),
    ...rendering.flatMap((definition) => start('render', () => definition)),
    ...productionWorkers(options).flatMap((definition) => start('production', () => definition)),
    ...start('lifecycle', () => claimed(lifecycleWorker(options))),
    ...start('lifecycle', () => claimed(sandboxClockWorker(options))),
    ...start('cleanup', () => claimed(cleanupWorker(options))),
  ];
  const watchdog = startWatchdog({ ...options, workers, slots: dueSlots, hints: scannerHints, onStalled });

  return {
    async close() {
      watchdog.close();
      await scanner?.close();
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
