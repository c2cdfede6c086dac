import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeApi } from '#api/compose-api.ts';
import type { AnyAction, AnyPage } from '#api/web/framework/page.ts';
import { pages as allPages } from '#api/web/pages.ts';
import { type Clock, systemClock } from '#common/clock.ts';
import { createUser } from '#common/organizations/create-user.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { createGcraLimiter, type GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import type { World } from '../product/world.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/** A user account. */
export type WebUser = { userId: string; organizationId: string; email: string; password: string };

export type WebHost = {
  url: string;
  /** The queues that its Bull Board shows. */
  hints: Hints;
  /** Folder of its mails. */
  outboxDir: string;
  /** Returns the decoded mails to an address, in the order in which they were sent. */
  mailsTo(email: string): Promise<string[]>;
  makeUser(options?: { isAdmin?: boolean; organizationId?: string }): Promise<WebUser>;
  /** Creates a visitor with a new browser. */
  visitor(): Visitor;
  /** Creates a signed-in visitor. */
  signedIn(options?: { isAdmin?: boolean; organizationId?: string }): Promise<Visitor & { user: WebUser }>;
  close(): Promise<void>;
};

export type WebHostOptions = {
  /** Stops the clock of the limiter, so used-up limits stay used up on a slow machine. */
  areLimitsStill?: boolean;
  clock?: Clock;
  /** Receives its mails instead of files. */
  smtpUrl?: string;
  pages?: readonly (AnyPage | AnyAction)[];
};

/** Opens the web host of a world on its own port, with its own limiter. */
export async function openWebHost(
  world: World,
  { clock = systemClock, pages = allPages, areLimitsStill = false, smtpUrl }: WebHostOptions = {},
): Promise<WebHost> {
  const { config, log } = world;
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-web-'));
  // Longer timeouts than those of the API, so tests on a busy machine do not fail.
  const redis = createRedis(config.redis.url, 'worker', log);
  const moving = createGcraLimiter({ redis, prefix: `${config.redis.queuePrefix}:${randomUUID()}`, log });
  const stillMs = Date.now();
  const limiter = areLimitsStill
    ? { ...moving, take: (questions: Parameters<GcraLimiter['take']>[0]) => moving.take(questions, stillMs) }
    : moving;
  const composed = composeApi({
    config: { ...config, dataDir, mail: { ...config.mail, smtpUrl } },
    ...{ clock, log, pages, limiter },
  });
  const server = createServer(composed.web);
  const url = `http://127.0.0.1:${await listen(server, 0)}`;

  const makeUser: WebHost['makeUser'] = async ({ isAdmin = false, organizationId } = {}) => {
    const owner = organizationId ?? (await world.customer()).organizationId;
    const [email, password] = [`${randomUUID()}@example.com`, 'correct horse battery'];
    // An address for each user, so that any number may be made at once.
    const user = { organizationId: owner, email, password, isAdmin, address: email };
    const { _id } = await createUser(user, clock.now());
    return { userId: _id, organizationId: owner, email, password };
  };

  const outboxDir = join(dataDir, 'outbox');

  return {
    url,
    hints: composed.boardHints,
    outboxDir,
    async mailsTo(email) {
      const files = (await readdir(outboxDir)).sort();
      const texts = await Promise.all(files.map((file) => readFile(join(outboxDir, file), 'utf8')));
      const own = texts.filter((text) => text.includes(`To: ${email}`));
      return own.map((text) => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='));
    },
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
      await composed.close();
      redis.disconnect();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
