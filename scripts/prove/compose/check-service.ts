import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import type { Sender } from '../send-letter.ts';
import type { Installation } from './installation.ts';

const healthyWithinMs = 10 * 60_000;

/** Asks for pages as a browser of this machine does, by the published ports. */
export async function checkPages({ apiUrl, webUrl }: Installation): Promise<string> {
  const pages = [`${webUrl}/en`, `${webUrl}/en/sign-in`, `${apiUrl}/docs`, `${apiUrl}/v1/openapi.json`];
  for (const page of pages) {
    const { status } = await fetch(page);
    if (status !== 200) throw new Error(`${page} answers ${status}.`);
  }
  return pages.map((page) => new URL(page).pathname).join(', ');
}

export async function scaleWorkers(installation: Installation, count: number): Promise<string> {
  await installation.compose('up', '--detach', '--scale', `workers=${count}`);
  let states: string[] = [];
  const areHealthy = async () => {
    const ids = await installation.containersOf('workers');
    const health = ['inspect', '--format', '{{.State.Health.Status}}'];
    states = (await installation.docker(...health, ...ids)).split('\n');
    return states.length === count && states.every((state) => state === 'healthy');
  };
  const areAll = await pollUntil(areHealthy, { everyMs: 500, withinMs: healthyWithinMs });
  if (!areAll) throw new Error(`The workers are ${states.join(', ')}.`);
  return `${count} healthy containers`;
}

/** The command again, as for a new version. Earlier letters are still there. */
export async function repeatInstall(installation: Installation, { baseUrl, key }: Sender): Promise<string> {
  const count = async () => {
    const answer = await fetch(`${baseUrl}/v1/mails?limit=100`, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { data: unknown[] }).data.length;
  };
  const scale = async () => (await installation.containersOf('workers')).length;
  const [before, workers] = [await count(), await scale()];
  await installation.install();
  const [after, workersAfter] = [await count(), await scale()];
  if (before === 0 || after !== before) throw new Error(`${before} letters before, ${after} after.`);
  if (workersAfter !== workers) throw new Error(`${workers} containers of workers before, ${workersAfter} after.`);
  return `${after} letters, ${workersAfter} containers of workers`;
}
