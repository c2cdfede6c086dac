import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeLetter, type Sender } from '#scripts/prove/send-letter.ts';

/** Requests by how they ended. `other` counts answers with an error by their status and code, and further errors. */
export type Counts = { ok: number; refused: number; timedOut: number; reset: number; other: Record<string, number> };

export type LoadResult = {
  reads: Counts;
  writes: Counts;
  letters: number;
  /** External ids that the service does not know, or knows more than once. */
  missing: string[];
  doubled: string[];
};

type Question = { method: 'GET' | 'POST'; path: string; body?: unknown };
type Answer = { outcome: string; text: string };

export const readsPerSecond = 10;
export const writesPerSecond = 1;
const timeoutMs = 10_000;
const maxTries = 20;
const retryAfterMs = 3_000;

/** Each request has a connection of its own, which only a pod that serves can accept. */
const agent = new Agent({ keepAlive: false });

/**
 * Reads and sends letters at constant rates, whether earlier requests are answered or not, until `stopped` settles. A
 * letter whose request fails is sent again with the same external id, as customers do. Then reads each by that id.
 */
export async function loadApi(sender: Sender, s3Key: string, stopped: Promise<void>): Promise<LoadResult> {
  const [reads, writes] = [newCounts(), newCounts()];
  const externalIds: string[] = [];
  const run = `load-${Date.now()}`;
  const [reading, writing] = await Promise.all([
    repeat(readsPerSecond, stopped, async () => {
      count(reads, (await ask(sender, { method: 'GET', path: '/v1/mails?limit=1' })).outcome);
    }),
    repeat(writesPerSecond, stopped, async () => {
      const externalId = `${run}-${externalIds.length}`;
      externalIds.push(externalId);
      await send(externalId);
    }),
  ]);
  await Promise.all([...reading, ...writing]);
  const found = new Map<string, number>();
  for (const externalId of externalIds) found.set(externalId, await countLetters(sender, externalId));
  const ids = (isWrong: (times: number) => boolean) => externalIds.filter((id) => isWrong(found.get(id) ?? 0));
  return {
    ...{ reads, writes, letters: externalIds.length },
    ...{ missing: ids((times) => times === 0), doubled: ids((times) => times > 1) },
  };

  async function send(externalId: string): Promise<void> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const body = describeLetter(s3Key, externalId);
      const { outcome } = await ask(sender, { method: 'POST', path: '/v1/mails', body });
      count(writes, outcome);
      if (outcome === 'ok') return;
      await sleep(retryAfterMs);
    }
  }
}

function newCounts(): Counts {
  return { ok: 0, refused: 0, timedOut: 0, reset: 0, other: {} };
}

function count(counts: Counts, outcome: string): void {
  if (outcome === 'ok' || outcome === 'refused' || outcome === 'timedOut' || outcome === 'reset') counts[outcome] += 1;
  else counts.other[outcome] = (counts.other[outcome] ?? 0) + 1;
}

/** Starts `work` so many times a second until `stopped` settles. Returns what was started. */
async function repeat(perSecond: number, stopped: Promise<void>, work: () => Promise<void>): Promise<Promise<void>[]> {
  const started: Promise<void>[] = [];
  const timer = setInterval(() => void started.push(work()), 1_000 / perSecond);
  await stopped;
  clearInterval(timer);
  return started;
}

async function countLetters(sender: Sender, externalId: string): Promise<number> {
  const path = `/v1/mails?externalId=${externalId}`;
  const { outcome, text } = await ask(sender, { method: 'GET', path });
  if (outcome !== 'ok') throw new Error(`GET ${path}: ${outcome} ${text}`);
  return (JSON.parse(text) as { data: unknown[] }).data.length;
}

/** Asks once, on a new connection. Never rejects. */
async function ask({ baseUrl, key }: Sender, { method, path, body }: Question): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const asked = request(baseUrl + path, { method, headers, agent, timeout: timeoutMs }, (answer) => {
    const chunks: Buffer[] = [];
    const isOk = answer.statusCode === 200 || answer.statusCode === 201;
    answer.on('data', (chunk) => chunks.push(chunk));
    answer.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      resolve({ outcome: isOk ? 'ok' : `${answer.statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`, text });
    });
    answer.on('error', fail);
  });
  asked.on('timeout', () => {
    resolve({ outcome: 'timedOut', text: '' });
    asked.destroy();
  });
  asked.on('error', fail);
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  return await promise;

  function fail({ code = 'error' }: NodeJS.ErrnoException): void {
    const names: Record<string, string> = { ECONNREFUSED: 'refused', ECONNRESET: 'reset', ETIMEDOUT: 'timedOut' };
    resolve({ outcome: names[code] ?? code, text: '' });
  }
}
