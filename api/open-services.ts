import { Registry } from 'prom-client';
import { createKeyAuthenticator, type KeyAuthenticator } from '../common/access/authenticate-key.ts';
import type { Clock } from '../common/clock.ts';
import type { Config } from '../common/config.ts';
import { createCursorCodec } from '../common/cursor.ts';
import { createTokenAuthenticator, type TokenAuthenticator } from '../common/oauth/authenticate-token.ts';
import { createTokenMint, type TokenMint } from '../common/oauth/token-mint.ts';
import { createGcraLimiter, type GcraLimiter } from '../common/platform/gcra-limiter.ts';
import type { Log } from '../common/platform/log.ts';
import { createHints } from '../common/platform/queues.ts';
import { createRedis, type Redis } from '../common/platform/redis.ts';
import { createRevocations, type Revocations, watchRevocations } from '../common/platform/revocations.ts';
import { createObjectStoreClient } from '../common/platform/s3.ts';
import { createKeyRing } from '../common/secrets.ts';
import { targetRules } from '../common/webhooks/address-rules.ts';
import { createBlockedCounter } from '../common/webhooks/blocked-counter.ts';
import { createEventStreams } from '../common/webhooks/event-stream.ts';
import { checkTargetUrl } from '../common/webhooks/target-url.ts';
import type { ApiServices } from './route.ts';

/** What one API process holds open beside the database. */
export type OpenServices = {
  services: ApiServices;
  authenticateKey: KeyAuthenticator['authenticate'];
  revocations: Revocations;
  authenticateToken: TokenAuthenticator;
  tokenMint: TokenMint;
  limiter: GcraLimiter;
  redis: Redis;
  close(): Promise<void>;
};

/** Opens Redis and the object store, lazily: neither has to be there yet. */
export function openServices(
  config: Config,
  clock: Clock,
  log: Log,
  registry: Registry = new Registry(),
): OpenServices {
  const prefix = config.redis.queuePrefix;
  const redis = createRedis(config.redis.url, 'api', log);
  const hints = createHints({ redis, prefix, log });
  const store = createObjectStoreClient(config.s3);
  const keyRing = createKeyRing(config.encryptionKeys);
  const rules = targetRules(config.webhooks);
  const keys = createKeyAuthenticator(clock);
  const watch = watchRevocations(
    { url: config.redis.url, prefix, log },
    { onRevoked: keys.forget, onMissed: keys.forgetAll },
  );
  const countBlocked = createBlockedCounter(registry);

  return {
    services: {
      store,
      hints,
      keyRing,
      cursors: createCursorCodec(keyRing.derive('cursors')),
      checkTargetUrl: (url) => checkTargetUrl(url, rules, { onBlocked: countBlocked }),
      maxActiveWebhooks: config.webhooks.maxActive,
      sandbox: config.sandbox,
      eventStreams: createEventStreams({ clock, log }),
    },
    authenticateKey: keys.authenticate,
    revocations: createRevocations({ redis, prefix, log }),
    authenticateToken: createTokenAuthenticator(clock),
    tokenMint: createTokenMint(keyRing),
    limiter: createGcraLimiter({ redis, prefix: `${prefix}:limit`, log }),
    redis,
    async close() {
      watch.close();
      await hints.close();
      redis.disconnect();
      store.close();
    },
  };
}
