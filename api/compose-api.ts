import { join } from 'node:path';
import type { Express } from 'express';
import { Registry } from 'prom-client';
import { createKeyAuthenticator, type KeyAuthenticator } from '#common/access/authenticate-key.ts';
import { createUploadedCells } from '#common/bulk/read/uploaded-cells.ts';
import type { Clock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import { createCursorCodec } from '#common/cursor.ts';
import { createPapers } from '#common/documents/papers/papers.ts';
import { openWarmPool } from '#common/documents/warm/warm-pool.ts';
import { createEventStreams } from '#common/events/event-stream.ts';
import { createMailCommitter } from '#common/mail-jobs/create/mail-committer.ts';
import { createPagePictures } from '#common/mail-jobs/proof/page-pictures.ts';
import { createProofs } from '#common/mail-jobs/proof/proofs.ts';
import { createClientFinder } from '#common/oauth/clients/find-client.ts';
import { createTokenAuthenticator } from '#common/oauth/tokens/authenticate-token.ts';
import { createTokenMint, type TokenMint } from '#common/oauth/tokens/token-mint.ts';
import { createBackgroundTasks } from '#common/platform/process/background-tasks.ts';
import type { Log } from '#common/platform/process/log.ts';
import { createMailer } from '#common/platform/process/mailer.ts';
import { createGcraLimiter, type GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createHints, type Hints } from '#common/platform/redis/queues.ts';
import { createRedis, type Redis } from '#common/platform/redis/redis.ts';
import { createRevocations, type Revocations, watchRevocations } from '#common/platform/redis/revocations.ts';
import { createObjectStoreClient } from '#common/platform/s3/s3.ts';
import { createKeyRing } from '#common/secrets.ts';
import { targetRules } from '#common/webhooks/egress/address-rules.ts';
import { createBlockedCounter } from '#common/webhooks/egress/blocked-counter.ts';
import { checkTargetUrl } from '#common/webhooks/egress/target-url.ts';
import { createApp } from './app.ts';
import type { ApiServices } from './route.ts';
import type { AnyAction, AnyPage } from './web/framework/page.ts';
import { pages as allPages } from './web/pages.ts';
import { createWebApp } from './web/web-app.ts';

export type ApiOptions = {
  config: Config;
  clock: Clock;
  log: Log;
  registry?: Registry;
  /** The pages of the web host. Default: all. */
  pages?: readonly (AnyPage | AnyAction)[];
  /** Default: a limiter in Redis. */
  limiter?: GcraLimiter;
};

/** The parts of an API process, besides the database. */
export type ComposedApi = {
  /** The REST API and the web host, not listening yet. */
  api: Express;
  web: Express;
  services: ApiServices;
  authenticateKey: KeyAuthenticator['authenticate'];
  revocations: Revocations;
  tokenMint: TokenMint;
  redis: Redis;
  /** The queues that Bull Board shows. */
  boardHints: Hints;
  /** Ends the event streams, for which a closing server would wait. */
  endStreams(): void;
  /** For after the servers are closed: finishes sends and mails in progress, then closes all connections. */
  close(): Promise<void>;
};

/** Wires an API process. Opens Redis and the object store lazily: neither needs to be reachable yet. */
export function composeApi({
  config,
  clock,
  log,
  registry = new Registry(),
  pages = allPages,
  limiter,
}: ApiOptions): ComposedApi {
  const prefix = config.redis.queuePrefix;
  const { publicClientHosts } = config.oauth;
  const redis = createRedis(config.redis, 'api', log);
  const limiterRedis = createRedis(config.redis, 'limiter', log);
  const hints = createHints({ redis, prefix, log });
  // Bull Board reads whole pages of messages, which may take longer than the Redis timeout of the API.
  const boardRedis = createRedis(config.redis, 'bulk', log);
  const boardHints = createHints({ redis: boardRedis, prefix, log });
  const store = createObjectStoreClient(config.s3);
  const keyRing = createKeyRing(config.encryptionKeys);
  const rules = targetRules(config.webhooks);
  const keys = createKeyAuthenticator(clock);
  const watch = watchRevocations(
    { address: config.redis, prefix, log },
    { onRevoked: keys.invalidate, onMissed: keys.invalidateAll },
  );
  const countBlocked = createBlockedCounter(registry);
  const mailer = createMailer({ ...config.mail, outboxDir: join(config.dataDir, 'outbox'), log });
  const backgroundTasks = createBackgroundTasks({ log });
  const mailCommitter = createMailCommitter(registry);
  const sharing = config.documentProcessSharing;
  const warmPool = openWarmPool({ maxChildren: 2, keepsSpare: false, sharing, log, registry });
  const papers = createPapers({ language: config.paperLanguage, log });
  const services: ApiServices = {
    store,
    hints,
    keyRing,
    cursors: createCursorCodec(keyRing.signer('cursors')),
    checkTargetUrl: (url) => checkTargetUrl(url, rules, { onBlocked: countBlocked }),
    maxActiveWebhooks: config.webhooks.maxActive,
    maxStoredBytes: config.maxStoredBytes,
    sandbox: config.sandbox,
    eventStreams: createEventStreams({ log }),
    mailCommitter,
    requestSigner: keyRing.signer('requests'),
    papers,
    envelopeWindow: config.envelopeWindow,
    cutoffs: config.cutoffs,
    log,
    printRules: config.print.rules,
    proofs: createProofs({ store, pictures: createPagePictures({ warmPool, log }), log }),
    uploadedCells: createUploadedCells({ store, log }),
  };
  const shared = {
    config,
    services,
    authenticateKey: keys.authenticate,
    authenticateToken: createTokenAuthenticator(clock),
    tokenMint: createTokenMint(keyRing),
    findClient: createClientFinder({ rules, publicHosts: publicClientHosts, clock, onBlocked: countBlocked }),
    revocations: createRevocations({ redis, prefix, log }),
    limiter: limiter ?? createGcraLimiter({ redis: limiterRedis, prefix: `${prefix}:limit`, log }),
    registry,
    clock,
    log,
  };

  return {
    ...shared,
    api: createApp(shared),
    web: createWebApp({ ...shared, pages, boardHints, mailer, backgroundTasks }),
    redis,
    boardHints,
    endStreams: () => services.eventStreams.close(),
    async close() {
      // Sends of disconnected clients may still be in progress.
      await mailCommitter.drain();
      await backgroundTasks.close();
      warmPool?.close();
      papers.close();
      watch.close();
      await Promise.all([hints.close(), boardHints.close()]);
      for (const client of [redis, limiterRedis, boardRedis]) client.disconnect();
      store.close();
    },
  };
}
