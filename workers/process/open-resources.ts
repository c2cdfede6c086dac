import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { Clock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import { defaultSlotSettings } from '#common/documents/isolation/render-slots.ts';
import { createPapers } from '#common/documents/papers/papers.ts';
import { createTypesettingPool } from '#common/documents/typesetting/typesetting-pool.ts';
import { openWarmPool } from '#common/documents/warm/warm-pool.ts';
import { createMailCommitter } from '#common/mail-jobs/create/mail-committer.ts';
import { createPauses } from '#common/platform/due-work/pauses.ts';
import type { Log } from '#common/platform/process/log.ts';
import { createMailer } from '#common/platform/process/mailer.ts';
import { createHints } from '#common/platform/redis/queues.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { createObjectStoreClient } from '#common/platform/s3/s3.ts';
import { createProviders } from '#common/production/submission/create-providers.ts';
import { createKeyRing } from '#common/secrets.ts';
import { createDeliveryMetrics, registerDeliveryGauges } from '#common/webhooks/deliveries/delivery-metrics.ts';
import { targetRules } from '#common/webhooks/egress/address-rules.ts';
import { createBlockedCounter } from '#common/webhooks/egress/blocked-counter.ts';
import { checkTargetUrl } from '#common/webhooks/egress/target-url.ts';
import { createWebhookClient } from '#common/webhooks/egress/webhook-client.ts';
import { registerReconcileMetrics } from '../cleanup/reconcile-chore.ts';
import { createLetterMetrics } from './letter-metrics.ts';
import type { WorkersOptions } from './start-workers.ts';
import { createWorkerMetrics, registerQueueMetrics } from './worker-metrics.ts';

/** Opens the resources of a worker process except the database: the options of `startWorkers`, and `close`. */
export function openResources(
  config: Config,
  clock: Clock,
  log: Log,
  registry: Registry = new Registry(),
): WorkersOptions & { close(): Promise<void> } {
  const prefix = config.redis.queuePrefix;
  const redis = createRedis(config.redis, 'worker', log);
  const apiRedis = createRedis(config.redis, 'api', log);
  const hints = createHints({ redis: apiRedis, prefix, log });
  const bulkRedis = createRedis(config.redis, 'bulk', log);
  const scannerHints = createHints({ redis: bulkRedis, prefix, log });
  const store = createObjectStoreClient(config.s3);
  const rules = targetRules(config.webhooks);
  const onBlocked = createBlockedCounter(registry);
  const webhookClient = createWebhookClient(rules, { onBlocked });
  const mailCommitter = createMailCommitter(registry);

  const sharing = config.documentProcessSharing;
  // One for each slot, and the spare.
  const maxChildren = config.concurrency.renderSlots + defaultSlotSettings.slowSlots + 1;
  const warmPool = openWarmPool({ maxChildren, keepsSpare: true, sharing, log, registry });

  const typesetting = createTypesettingPool({ sharing, log });
  const papers = createPapers({ language: config.paperLanguage, log });

  const scanState = { isScanning: false };
  registerQueueMetrics(registry, scannerHints, scanState);
  const pauses = createPauses();
  registerDeliveryGauges(registry, { clock, scanState, pauses });
  registerReconcileMetrics(registry, clock, scanState);
  const mailer = createMailer({ ...config.mail, outboxDir: join(config.dataDir, 'outbox'), log });

  return {
    names: config.workers,
    redis,
    bulkRedis,
    prefix,
    hints,
    scannerHints,
    store,
    warmPool,
    typesetting,
    webhookClient,
    keyRing: config.encryptionKeys.length > 0 ? createKeyRing(config.encryptionKeys) : null,
    envelopeWindow: config.envelopeWindow,
    sandbox: config.sandbox,
    cutoffs: config.cutoffs,
    printRules: config.print.rules,
    providers: createProviders(config.print, papers),
    retention: config.retention,
    maxStoredBytes: config.maxStoredBytes,
    mailCommitter,
    checkTargetUrl: (url) => checkTargetUrl(url, rules, { onBlocked }),
    carrierFolder: config.carrierFolder,
    mailer,
    concurrency: config.concurrency,
    pauses,
    authUrl: config.http.authUrl,
    leaseMs: config.workLeaseS * 1_000,
    metrics: createDeliveryMetrics(registry),
    letterMetrics: createLetterMetrics(registry, config.sandbox),
    workerMetrics: createWorkerMetrics(registry),
    scanState,
    clock,
    log,
    async close() {
      await mailCommitter.drain();
      for (const pool of [warmPool, typesetting, papers]) pool?.close();
      await webhookClient.close();
      await Promise.all([hints.close(), scannerHints.close()]);
      apiRedis.disconnect();
      bulkRedis.disconnect();
      redis.disconnect();
      store.close();
    },
  };
}
