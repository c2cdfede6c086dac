import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createWebApp } from '../../api/web/web-app.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { createUser } from '../../common/organizations/create-user.ts';
import { createGcraLimiter } from '../../common/platform/gcra-limiter.ts';
import { closeServer, listen } from '../../common/platform/metrics.ts';
import { createHints, type Hints } from '../../common/platform/queues.ts';
import { createRedis } from '../../common/platform/redis.ts';
import type { World } from './world.ts';

export type WebHost = {
  url: string;
  /** The queues that its board shows. */
  hints: Hints;
  /** The credentials of a new user, as HTTP Basic sends them. */
  makeUser(options: { isAdmin: boolean }): Promise<{ email: string; password: string; basic: string }>;
  close(): Promise<void>;
};

/** The web host of a world on a port of its own, with limits of its own. */
export async function openWebHost(world: World, clock: Clock = systemClock): Promise<WebHost> {
  const { config, log } = world;
  // Patient, unlike the API's: a test that shares its processor with others must not fail by a slow answer.
  const redis = createRedis(config.redis.url, 'worker', log);
  const hints = createHints({ redis, prefix: config.redis.queuePrefix, log });
  const limiter = createGcraLimiter({ redis, prefix: `${config.redis.queuePrefix}:${randomUUID()}`, log });
  const server = createServer(createWebApp({ config, hints, limiter, clock, log }));
  const url = `http://127.0.0.1:${await listen(server, 0)}`;

  return {
    url,
    hints,
    async makeUser({ isAdmin }) {
      const { organizationId } = await world.customer();
      const [email, password] = [`${randomUUID()}@example.com`, 'correct horse battery'];
      await createUser({ organizationId, email, password, isAdmin }, clock.now());
      return { email, password, basic: basicOf(email, password) };
    },
    async close() {
      server.closeAllConnections();
      await closeServer(server);
      await hints.close();
      redis.disconnect();
    },
  };
}

/** The Authorization header of HTTP Basic. */
export function basicOf(email: string, password: string): string {
  return `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
}
