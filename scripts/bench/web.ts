import { get } from 'node:http';
import { resolve } from 'node:path';
import { systemClock } from '../../common/clock.ts';
import { newId } from '../../common/ids.ts';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import { createUser } from '../../common/organizations/create-user.ts';
import { connectMongo, disconnectMongo } from '../../common/platform/mongo.ts';
import { findFreePort } from '../local-servers/ports.ts';
import { type BenchService, openBenchService } from './bench-service.ts';
import { median } from './measure.ts';
import { prepareReads } from './prepare-reads.ts';

/** The letters stay in this folder for the next run; without it they are made anew. */
const dataDir = resolve('.data', 'bench-web');
/** Nine of ten belong to the account that is looked at. */
const count = 11_200;
const warmUps = 30;
const requests = 150;
const goal = { ms: 50, coldBytes: 60_000 };

type Session = { origin: string; cookie: string };

/** Prints how long the account's pages take with 10,000 letters in it, and what the first look at it transfers. */
export async function run(): Promise<void> {
  const service = await openBenchService(dataDir);
  try {
    const { databaseUrl, mailJobId } = await prepareReads(service, { name: 'web', count, dataDir });
    const letters = await openAccountOf(databaseUrl, mailJobId);
    const session = await signIn(await startWebHost(service, databaseUrl), letters.user);
    print(`One API process with NODE_ENV=production, ${letters.count.toLocaleString('en')} letters in the account.`);
    print(`${requests} requests of each page, one after the other.\n`);
    const pages = {
      overview: '/en/account',
      'list of letters': '/en/account/letters?mode=test',
      'list, filtered': '/en/account/letters?mode=test&status=posted&zone=INTERNATIONAL&from=2026-01-01',
      'one letter': `/en/account/letters/${mailJobId}`,
    };
    for (const [name, path] of Object.entries(pages)) await measurePage(session, name, path);
    await measureColdLook(session, pages.overview);
  } finally {
    await service.close();
  }
}

/** Somebody who may look at the account that has this letter, and how many others it has. */
async function openAccountOf(databaseUrl: string, mailJobId: string) {
  await connectMongo(databaseUrl, 'bluejay-bench');
  try {
    const { organizationId } = await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();
    const user = { email: `${newId('usr')}@example.com`, password: newId('usr') };
    await createUser({ organizationId, ...user, isAdmin: false }, systemClock.now());
    return { user, count: await MailJob.countDocuments({ organizationId, mode: 'test' }) };
  } finally {
    await disconnectMongo();
  }
}

async function startWebHost(service: BenchService, databaseUrl: string): Promise<string> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  await service.startApi('web-host', databaseUrl, { WEB_PORT: String(port), AUTH_URL: origin });
  return origin;
}

async function signIn(origin: string, user: { email: string; password: string }): Promise<Session> {
  const form = await fetch(`${origin}/en/sign-in`);
  const [, token = ''] = /name="_csrf" value="([^"]*)"/.exec(await form.text()) ?? [];
  const answer = await fetch(`${origin}/en/sign-in`, {
    method: 'POST',
    headers: { cookie: cookiesOf(form), origin },
    body: new URLSearchParams({ _csrf: token, ...user }),
    redirect: 'manual',
  });
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
  const times: number[] = [];
  let sizeBytes = 0;
  for (let number = 1; number <= warmUps + requests; number += 1) {
    const startMs = performance.now();
    const answer = await fetch(origin + path, { headers: { cookie }, redirect: 'manual' });
    sizeBytes = (await answer.arrayBuffer()).byteLength;
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`);
    if (number > warmUps) times.push(performance.now() - startMs);
  }
  const ms = median(times);
  const high = times.toSorted((left, right) => left - right)[Math.floor(times.length * 0.95)] ?? 0;
  const figures = `median ${ms.toFixed(1)} ms, 95 of 100 below ${high.toFixed(1)} ms, ${(sizeBytes / 1000).toFixed(1)} kB`;
  print(`${name.padEnd(17)} ${figures}  goal <= ${goal.ms} ms  ${ms <= goal.ms ? 'reached' : 'MISSED'}`);
}

/** The page and whatever it loads, headers and all, as a browser without a cache gets it. */
async function measureColdLook({ origin, cookie }: Session, path: string): Promise<void> {
  const page = await (await fetch(origin + path, { headers: { cookie } })).text();
  const parts = [...page.matchAll(/(?:src|rel="(?:icon|stylesheet)" href)="(\/[^"]*)"/g)].map(([, part = '']) => part);
  const sizes = await Promise.all([path, ...parts].map((part) => countBytes(origin + part, cookie)));
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const verdict = total <= goal.coldBytes ? 'reached' : 'MISSED';
  print(
    `overview, nothing cached: ${(total / 1000).toFixed(1)} kB in ${sizes.length} answers (${sizes.join(' + ')} bytes)`,
  );
  print(`                  goal <= ${goal.coldBytes / 1000} kB  ${verdict}`);
}

/** Bytes that came through the socket of one request. */
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
