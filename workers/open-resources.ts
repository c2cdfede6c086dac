import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { Clock } from '../common/clock.ts';
import type { Config } from '../common/config.ts';
import type { Log } from '../common/platform/log.ts';
import { createMailer } from '../common/platform/mailer.ts';
import { createHints } from '../common/platform/queues.ts';
import { createRedis } from '../common/platform/redis.ts';
import { createObjectStoreClient } from '../common/platform/s3.ts';
import { createKeyRing } from '../common/secrets.ts';
import { targetRules } from '../common/webhooks/address-rules.ts';
import { createBlockedCounter } from '../common/webhooks/blocked-counter.ts';
import { createDeliveryMetrics } from '../common/webhooks/delivery-metrics.ts';
import { createWebhookSender } from '../common/webhooks/post-signed.ts';
import type { WorkersOptions } from './start-workers.ts';
import { createWorkerMetrics, registerQueueMetrics } from './worker-metrics.ts';

/** What one worker process holds open beside the database: everything `startWorkers` asks for, and how to close it. */
export function openResources(
  config: Config,
  clock: Clock,
  log: Log,
  registry: Registry = new Registry(),
): WorkersOptions & { close(): Promise<void> } {
  const prefix = config.redis.queuePrefix;
  const redis = createRedis(config.redis.url, 'worker', log);
  const hastyRedis = createRedis(config.redis.url, 'api', log);
  const hints = createHints({ redis: hastyRedis, prefix, log });
  const patientRedis = createRedis(config.redis.url, 'patient', log);
  const scannerHints = createHints({ redis: patientRedis, prefix, log });
  const store = createObjectStoreClient(config.s3);
  const sender = createWebhookSender(targetRules(config.webhooks), { onBlocked: createBlockedCounter(registry) });

  registerQueueMetrics(registry, scannerHints);
  const mailer = createMailer({ ...config.mail, outboxDir: join(config.dataDir, 'outbox'), log });

  return {
    names: config.workers,
    redis,
    patientRedis,
    prefix,
    hints,
    scannerHints,
    store,
    sender,
    keyRing: createKeyRing(config.encryptionKeys),
    sandbox: config.sandbox,
    mailer,
    authUrl: config.http.authUrl,
    leaseMs: config.workLeaseS * 1_000,
    metrics: createDeliveryMetrics(registry, clock),
    workerMetrics: createWorkerMetrics(registry),
    clock,
    log,
    async close() {
      await Promise.all([sender.close(), mailer.close()]);
      await Promise.all([hints.close(), scannerHints.close()]);
      hastyRedis.disconnect();
      patientRedis.disconnect();
      redis.disconnect();
      store.close();
    },
  };
}
