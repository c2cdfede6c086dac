import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from './log.ts';
import { createRedis, type Redis } from './redis.ts';

/** Tells every process that a credential was ended, so that none goes on by what it remembers. */
export type Revocations = {
  /**
   * To be called after the database says so. Never rejects, and takes 2 s at most: without Redis nobody hears it, and
   * the others find out when what they remember runs out.
   */
  announce(credentialId: string): Promise<void>;
};

/** What a process does that remembers credentials. */
export type RevocationListener = {
  /** A credential of any kind was ended. */
  onRevoked(credentialId: string): void;
  /** Messages may have been missed: nothing that is remembered counts any more. */
  onMissed(): void;
};

const announceWithinMs = 2_000;
/** No id of ours is longer; whatever else comes through the channel is nobody's. */
const maxIdLength = 100;

export function createRevocations(options: { redis: Redis; prefix: string; log: Log }): Revocations {
  const { redis, prefix, log } = options;

  return {
    async announce(credentialId) {
      const late = new AbortController();
      const published = redis
        .publish(channelOf(prefix), credentialId)
        .catch((error: unknown) => log.warn({ cause: String(error) }, 'revocation not announced'));
      await Promise.race([published, pause(announceWithinMs, undefined, { signal: late.signal }).catch(() => {})]);
      late.abort();
    },
  };
}

/**
 * Listens for revocations until it is closed, on a connection of its own, as Redis wants it. When the connection was
 * lost, `onMissed` is called as soon as it listens again, and no sooner: what is looked up after that is heard of.
 */
export function watchRevocations(
  options: { url: string; prefix: string; log: Log },
  listener: RevocationListener,
): { close(): void } {
  const { url, prefix, log } = options;
  const redis = createRedis(url, 'listener', log);

  redis.on('ready', () => {
    redis.subscribe(channelOf(prefix)).then(
      () => listener.onMissed(),
      // The connection went again; the next one subscribes.
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
