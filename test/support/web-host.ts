import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyAction, AnyPage } from '../../api/web/page.ts';
import { pages as allPages } from '../../api/web/pages/index.ts';
import { createWebApp } from '../../api/web/web-app.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { createUser } from '../../common/organizations/create-user.ts';
import { createGcraLimiter } from '../../common/platform/gcra-limiter.ts';
import { createMailer } from '../../common/platform/mailer.ts';
import { closeServer, listen } from '../../common/platform/metrics.ts';
import { createHints, type Hints } from '../../common/platform/queues.ts';
import { createRedis } from '../../common/platform/redis.ts';
import { createVisitor, type Visitor } from './visitor.ts';
import type { World } from './world.ts';

/** Somebody who may sign in. */
export type WebUser = { userId: string; organizationId: string; email: string; password: string };

export type WebHost = {
  url: string;
  /** The queues that its board shows. */
  hints: Hints;
  /** Where its mails are written to. */
  outboxDir: string;
  makeUser(options?: { isAdmin?: boolean; organizationId?: string }): Promise<WebUser>;
  /** Somebody with a browser of his own, but without scripts. */
  visitor(): Visitor;
  /** The same, signed in. */
  signedIn(options?: { isAdmin?: boolean }): Promise<Visitor & { user: WebUser }>;
  close(): Promise<void>;
};

export type WebHostOptions = { clock?: Clock; pages?: readonly (AnyPage | AnyAction)[] };

/** The web host of a world on a port of its own, with limits of its own. */
export async function openWebHost(
  world: World,
  { clock = systemClock, pages = allPages }: WebHostOptions = {},
): Promise<WebHost> {
  const { config, log, services, revocations } = world;
  // Patient, unlike the API's: a test that shares its processor with others must not fail by a slow answer.
  const redis = createRedis(config.redis.url, 'worker', log);
  const hints = createHints({ redis, prefix: config.redis.queuePrefix, log });
  const limiter = createGcraLimiter({ redis, prefix: `${config.redis.queuePrefix}:${randomUUID()}`, log });
  const outboxDir = await mkdtemp(join(tmpdir(), 'bluejay-outbox-'));
  const mailer = createMailer({ ...config.mail, smtpUrl: undefined, outboxDir, log });
  const server = createServer(
    createWebApp({ config, pages, services, boardHints: hints, limiter, mailer, revocations, clock, log }),
  );
  const url = `http://127.0.0.1:${await listen(server, 0)}`;

  const makeUser: WebHost['makeUser'] = async ({ isAdmin = false, organizationId } = {}) => {
    const owner = organizationId ?? (await world.customer()).organizationId;
    const [email, password] = [`${randomUUID()}@example.com`, 'correct horse battery'];
    const { _id } = await createUser({ organizationId: owner, email, password, isAdmin }, clock.now());
    return { userId: _id, organizationId: owner, email, password };
  };

  return {
    url,
    hints,
    outboxDir,
    makeUser,
    visitor: () => createVisitor(url),
    async signedIn(options) {
      const user = await makeUser(options);
      const visitor = createVisitor(url);
      await visitor.signIn(user);
      return { ...visitor, user };
    },
    async close() {
      server.closeAllConnections();
      await closeServer(server);
      await mailer.close();
      await hints.close();
      redis.disconnect();
      await rm(outboxDir, { recursive: true, force: true });
    },
  };
}
