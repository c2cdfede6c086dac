import { get } from 'node:http';
import { resolve } from 'node:path';
import { systemClock } from '#common/clock.ts';
import { newId } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { createUser } from '#common/organizations/create-user.ts';
import { commandAddress } from '#common/organizations/password.ts';
import { findFreePort } from '../local-servers/ports.ts';
import { openBenchService } from './bench-service.ts';
import { judge } from './goal-table.ts';
import { median, percentile, print, putUnderLoad } from './measure.ts';
import { prepareReads } from './reads/prepare-reads.ts';

/** Keeps the letters for the next run. */
const dataDir = resolve('.data', 'bench-web');
const database = 'web';
/** Nine of ten belong to the measured account. */
const count = 11_200;
const warmUps = 30;
const requests = 150;
const goal = { ms: 50, coldBytes: 60_000, besideSignIns: 3 };
const signInsPerSecond = 24;
const rounds = 5;

/** One request after the other. */
const alone = { inFlight: 1, forMs: Number.POSITIVE_INFINITY };

type Session = { origin: string; cookie: string };

/**
 * Prints response times of the account's pages with 10,000 letters, and the transfer size of an uncached first visit.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const service = held.use(await openBenchService(dataDir));
  const { mailJobId, key } = await prepareReads(service, { name: database, count, dataDir });
  const letters = await openAccountOf(mailJobId);
  const webPort = await findFreePort();
  const origin = `http://127.0.0.1:${webPort}`;
  const api = await service.startApi(database, { WEB_PORT: String(webPort), AUTH_URL: origin });
  print(`One API process with NODE_ENV=production, ${letters.count.toLocaleString('en')} letters in the account.`);
  print(`${requests} requests of each page, one after the other.\n`);
  const pages = {
    overview: '/en/account',
    'list of letters': '/en/account/letters?mode=test',
    'list, filtered': '/en/account/letters?mode=test&status=posted&zone=INTERNATIONAL&from=2026-01-01',
    'one letter': `/en/account/letters/${mailJobId}`,
  };
  // One session per page, because a session is limited to 240 pages per minute.
  for (const [name, path] of Object.entries(pages)) await measurePage(await signIn(origin, letters.user), name, path);
  await measureFirstVisit(await signIn(origin, letters.user), pages.overview);
  await measureBesideSignIns(origin, { url: `${api.origin}/v1/wallet`, key });
}

/** Creates a user in the organization of this letter, and counts the organization's test letters. */
async function openAccountOf(mailJobId: string) {
  const { organizationId } = await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();
  const user = { email: `${newId('usr')}@example.com`, password: newId('usr') };
  await createUser({ organizationId, ...user, isAdmin: false, address: commandAddress }, systemClock.now());
  return { user, count: await MailJob.countDocuments({ organizationId, mode: 'test' }) };
}

async function postSignIn(origin: string, user: { email: string; password: string }): Promise<Response> {
  const form = await fetch(`${origin}/en/sign-in`);
  const [, token = ''] = /name="_csrf" value="([^"]*)"/.exec(await form.text()) ?? [];
  return await fetch(`${origin}/en/sign-in`, {
    method: 'POST',
    headers: { cookie: cookiesOf(form), origin },
    body: new URLSearchParams({ _csrf: token, ...user }),
    redirect: 'manual',
  });
}

async function signIn(origin: string, user: { email: string; password: string }): Promise<Session> {
  const answer = await postSignIn(origin, user);
  if (answer.status !== 303) throw new Error(`The sign-in answered ${answer.status}.`);
  return { origin, cookie: cookiesOf(answer) };
}

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

async function measurePage({ origin, cookie }: Session, name: string, path: string): Promise<void> {
  let sizeBytes = 0;
  const load = async () => {
    sizeBytes = await getWhole(origin + path, { cookie });
  };
  const { latenciesMs } = await putUnderLoad(load, { ...alone, maxCalls: warmUps + requests });
  const times = latenciesMs.slice(warmUps);
  const ms = median(times);
  const high = percentile(times, 0.95);
  const figures = `median ${ms.toFixed(1)} ms, 95 of 100 below ${high.toFixed(1)} ms, ${(sizeBytes / 1000).toFixed(1)} kB`;
  print(`${name.padEnd(17)} ${figures}  goal <= ${goal.ms} ms  ${judge(ms, { atMost: goal.ms })}`);
}

/** Sums the bytes, headers included, of the page and everything it loads, as for a browser with an empty cache. */
async function measureFirstVisit({ origin, cookie }: Session, path: string): Promise<void> {
  const page = await (await fetch(origin + path, { headers: { cookie } })).text();
  const parts = [...page.matchAll(/(?:src|rel="(?:icon|stylesheet)" href)="(\/[^"]*)"/g)].map(([, part = '']) => part);
  const sizes = await Promise.all([path, ...parts].map((part) => countBytes(origin + part, cookie)));
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  print(
    `overview, nothing cached: ${(total / 1000).toFixed(1)} kB in ${sizes.length} answers (${sizes.join(' + ')} bytes)`,
  );
  print(`                  goal <= ${goal.coldBytes / 1000} kB  ${judge(total, { atMost: goal.coldBytes })}`);
}

/** Compares the median of GET /v1/wallet in seconds with 24 wrong sign-ins, sent all at once, and in seconds without. */
async function measureBesideSignIns(origin: string, { url, key }: { url: string; key: string }): Promise<void> {
  const [idle, loaded]: [number[], number[]] = [[], []];
  let checked = 0;
  const getWallet = () => getWhole(url, { authorization: `Bearer ${key}` });
  const measureSecond = async () => (await putUnderLoad(getWallet, { ...alone, forMs: 1_000 })).latenciesMs;
  for (let round = 0; round < rounds; round += 1) {
    idle.push(...(await measureSecond()));
    const guesses = Array.from({ length: signInsPerSecond }, (_, n) =>
      postSignIn(origin, { email: `guest-${round}-${n}@example.com`, password: 'wrong password' }),
    );
    loaded.push(...(await measureSecond()));
    for (const { status } of await Promise.all(guesses)) checked += status === 400 ? 1 : 0;
  }
  const ratio = median(loaded) / median(idle);
  const figures = `${median(loaded).toFixed(2)} ms, without ${median(idle).toFixed(2)} ms, ratio ${ratio.toFixed(2)}`;
  print(
    `GET /v1/wallet beside ${signInsPerSecond} sign-ins a second, of which ${checked} of ${rounds * signInsPerSecond} were`,
  );
  const verdict = judge(ratio, { atMost: goal.besideSignIns });
  print(`checked and the others limited: ${figures}  goal <= ${goal.besideSignIns}  ${verdict}`);
}

/** Gets a URL and returns the size of the body. Throws for any status but 200. */
async function getWhole(url: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(url, { headers, redirect: 'manual' });
  const { byteLength } = await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}.`);
  return byteLength;
}

/** Returns the bytes that one request received on its socket, headers included. */
function countBytes(url: string, cookie: string): Promise<number> {
  return new Promise((resolved, reject) => {
    const headers = { cookie, 'accept-encoding': 'gzip, deflate, br', connection: 'close' };
    get(url, { headers, agent: false }, (answer) => {
      const { socket } = answer;
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}.`));
      answer.resume().once('end', () => resolved(socket.bytesRead));
    }).once('error', reject);
  });
}
