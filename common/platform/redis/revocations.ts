import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Log } from '../process/log.ts';
import { createRedis, type Redis, type RedisAddress } from './redis.ts';

/** Broadcasts revoked credentials to all processes, which cache credentials. */
export type Revocations = {
  /**
   * Called after the revocation is stored. Never rejects, and takes at most 2 s. Without Redis the other processes
   * notice when their cache entries expire.
   */
  announce(credentialId: string): Promise<void>;
};

/** The callbacks of a process that caches credentials. */
export type RevocationListener = {
  /** A credential of any kind was revoked. */
  onRevoked(credentialId: string): void;
  /** Messages may have been missed: all cache entries must be dropped. */
  onMissed(): void;
};

const announceWithinMs = 2_000;
/** Our ids are shorter. Longer messages on the channel are not ours. */
const maxIdLength = 100;

export function createRevocations(options: { redis: Redis; prefix: string; log: Log }): Revocations {
  const { redis, prefix, log } = options;

  return {
    async announce(credentialId) {
      const published = redis
        .publish(channelOf(prefix), credentialId)
        .catch((error: unknown) => log.warn({ cause: String(error) }, 'revocation not announced'));
      await withTimeout(published, announceWithinMs, () => {});
    },
  };
}

/**
 * Listens for revocations until closed, on its own connection, as subscriptions require. After a lost connection,
 * `onMissed` is called once the new subscription is active, so no revocation after that call is missed.
 */
export function watchRevocations(
  options: { address: RedisAddress; prefix: string; log: Log },
  listener: RevocationListener,
): { close(): void } {
  const { address, prefix, log } = options;
  const redis = createRedis(address, 'listener', log);

  redis.on('ready', () => {
    redis.subscribe(channelOf(prefix)).then(
      () => listener.onMissed(),
      // The connection was lost again. The next one subscribes.
      (error: unknown) => log.debug({ cause: String(error) }, 'not subscribed to revocations'),
    );
  });
  redis.on('message', (_channel, credentialId) => {
    if (credentialId.length <= maxIdLength) listener.onRevoked(credentialId);
  });
  return { close: () => redis.disconnect() };
}

function channelOf(prefix: string): string {
  return `${prefix}:revoked`;
}
