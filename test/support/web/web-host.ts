import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { composeApi } from '#api/compose-api.ts';
import { createWebServer } from '#api/http-servers.ts';
import type { AnyAction, AnyPage } from '#api/web/framework/page.ts';
import { pages as allPages } from '#api/web/pages.ts';
import { type Clock, systemClock } from '#common/clock.ts';
import { newId } from '#common/ids.ts';
import { User } from '#common/organizations/user.model.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { createGcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { guardMs, openOnce } from '../jest.ts';
import { fetchAnswer } from '../product/customer.ts';
import { startWorld, stopLimiter, type World, type WorldOptions } from '../product/world.ts';

/** A user account. */
export type WebUser = { userId: string; organizationId: string; email: string; password: string };

export type WebHost = Awaited<ReturnType<typeof openWebHost>>;

const password = 'correct horse battery';
/** A hash names its own cost, so users of tests sign in with little of it. */
const passwordHash = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

type UserOptions = { isAdmin?: boolean; organizationId?: string };

export type WebHostOptions = {
  areLimitsStill?: WorldOptions['areLimitsStill'];
  clock?: Clock;
  /** Receives its mails instead of files. */
  smtpUrl?: string;
  pages?: readonly (AnyPage | AnyAction)[];
};

/** Starts a world and its web host, with the same clock, for the calling test file. */
export function startWebHost(options: WorldOptions & WebHostOptions = {}) {
  const world = startWorld(options);
  return { world, host: openOnce(() => openWebHost(world, options)) };
}

/** Opens the web host of a world on its own port, with its own limiter. */
export async function openWebHost(
  world: World,
  { clock = systemClock, pages = allPages, areLimitsStill = false, smtpUrl }: WebHostOptions = {},
) {
  const { config, log } = world;
  const dataDir = await mkdtemp(join(tmpdir(), 'bluejay-web-'));
  // Longer timeouts than those of the API, so tests on a busy machine do not fail.
  const redis = createRedis(config.redis, 'worker', log);
  const moving = createGcraLimiter({
    ...{ redis, log, timeoutMs: guardMs },
    prefix: `${config.redis.queuePrefix}:${randomUUID()}`,
  });
  const limiter = areLimitsStill ? stopLimiter(moving) : moving;
  const composed = composeApi({
    config: { ...config, dataDir, mail: { ...config.mail, smtpUrl } },
    ...{ clock, log, pages, limiter },
  });
  const server = createWebServer(composed.web);
  const url = `http://127.0.0.1:${await listen(server, 0)}`;

  const makeUser = async ({ isAdmin = false, organizationId }: UserOptions = {}): Promise<WebUser> => {
    const owner = organizationId ?? (await world.customer()).organizationId;
    const [userId, email] = [newId('usr'), `${randomUUID()}@example.com`];
    const rest = { passwordHash, passwordVersion: 0, language: null, isAdmin, createdAt: clock.now() };
    await User.create({ _id: userId, organizationId: owner, email, ...rest });
    return { userId, organizationId: owner, email, password };
  };

  const outboxDir = join(dataDir, 'outbox');

  return {
    ...{ url, limiter },
    /** The queues that its Bull Board shows. */
    hints: composed.boardHints,
    /** Folder of its mails. */
    outboxDir,
    /** Returns the decoded mails to an address, in the order in which they were sent. */
    async mailsTo(email: string): Promise<string[]> {
      const files = (await readdir(outboxDir)).sort();
      const texts = await Promise.all(files.map((file) => readFile(join(outboxDir, file), 'utf8')));
      const own = texts.filter((text) => text.includes(`To: ${email}`));
      return own.map((text) => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='));
    },
    makeUser,
    /** Creates a visitor with a new browser. */
    visitor: () => createVisitor(url),
    /** Creates a signed-in visitor. */
    async signedIn(options?: UserOptions) {
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

/** A response of the web host. */
export type WebAnswer = { status: number; headers: Headers; text: string; location: string | null };

type Fields = Record<string, string | readonly string[]>;

export type Visitor = ReturnType<typeof createVisitor>;

/** Creates a browser without JavaScript. It keeps cookies and does not follow redirects. */
export function createVisitor(url: string, cookies = new Map<string, string>()) {
  async function fetchAt(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie !== '' && { cookie }), ...(init.headers as Record<string, string>) };
    const answer = await fetchAnswer(url + path, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) keep(cookies, line);
    return answer;
  }
  async function ask(path: string, init?: RequestInit): Promise<WebAnswer> {
    const answer = await fetchAt(path, init);
    const { status } = answer;
    return { status, headers: answer.headers, text: await answer.text(), location: answer.headers.get('location') };
  }

  const visitor = {
    cookies,
    get: (path: string, headers: Record<string, string> = {}) => ask(path, { headers }),
    /** Returns a file. */
    async getBytes(path: string): Promise<Omit<WebAnswer, 'text' | 'location'> & { bytes: Buffer }> {
      const answer = await fetchAt(path);
      return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
    },
    post: (path: string, fields: Fields, headers: Record<string, string> = {}) =>
      ask(path, { method: 'POST', body: encode(fields), headers }),
    /** Opens a page and submits its form for `action`, with its hidden fields and these fields. */
    async send(path: string, action: string, fields: Fields): Promise<WebAnswer> {
      const page = await visitor.get(path);
      const form = formsOf(page.text).find(
        (candidate) => candidate.action.replace(/^\/(en|fr|nl|de)\//, '/') === action,
      );
      if (!form) throw new Error(`${path} (${page.status}) has no form to ${action}`);
      return await visitor.post(form.action, { ...form.hidden, ...fields });
    },
    signIn: ({ email, password }: { email: string; password: string }, path = '/sign-in') =>
      visitor.send(path, '/sign-in', { email, password }),
  };
  return visitor;
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}

function encode(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value] as [string, string]),
    ),
  );
}

export type WebForm = { action: string; hidden: Record<string, string>; text: string };

/** Returns the forms of a page that post. */
export function formsOf(page: string): WebForm[] {
  return [...page.matchAll(/<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', text = '']) => ({
      action: readEscaped(action),
      text,
      hidden: Object.fromEntries(
        [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
          name,
          readEscaped(value),
        ]),
      ),
    }),
  );
}

/** Returns the first group of each match on a page of a list and on those after it. */
export async function walkPages(visitor: Visitor, path: string, pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  let next: string | undefined = path;
  for (let page = 0; next !== undefined && page < 5; page += 1) {
    const { text } = await visitor.get(next);
    found.push(...[...text.matchAll(pattern)].map(([, group = '']) => group));
    const [, href] = /class="button plain" href="([^"]*cursor=[^"]*)"/.exec(text) ?? [];
    next = href === undefined ? undefined : readEscaped(href);
  }
  return found;
}

/** Unescapes HTML. */
function readEscaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
