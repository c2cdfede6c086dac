import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { type Program, startProductProcess } from '../processes/process-control.ts';
import { type Answer, createClient } from './customer.ts';
import type { World } from './world.ts';

/** An API process that a test may kill, its origin, and that of its pages. */
export type ApiProcess = { url: string; webUrl: string; program: Program };

/** Starts `count` API processes on the stores of a world or of `environment`. */
export async function startApis(
  world: World,
  count: number,
  environment: Record<string, string> = {},
): Promise<ApiProcess[]> {
  return await Promise.all(Array.from({ length: count }, () => startApi(world, environment)));
}

async function startApi(world: World, environment: Record<string, string>): Promise<ApiProcess> {
  const [port, webPort] = [await findFreePort(), await findFreePort()];
  const program = await startProductProcess('api/server.ts', {
    ...world.environment,
    NODE_ENV: 'production',
    PORT: String(port),
    WEB_PORT: String(webPort),
    METRICS_PORT: '0',
    // No load balancer: requests in flight meet the closing of the servers.
    DRAIN_DELAY_S: '0',
    ...environment,
  });
  return { url: `http://127.0.0.1:${port}`, webUrl: `http://127.0.0.1:${webPort}`, program };
}

/** Ends the processes by SIGTERM. Throws when one does not exit with 0. */
export async function stopApis(apis: readonly ApiProcess[]): Promise<void> {
  for (const { program } of apis) program.kill('SIGTERM');
  const codes = await Promise.all(apis.map(({ program }) => program.ended));
  if (codes.some((code) => code !== 0)) throw new Error(`API processes ended with ${codes.join(', ')}`);
}

const maxTries = 60;
const pauseMs = 500;

/**
 * Sends a letter and retries a 503 or a broken connection with the same externalId through the next process, for at
 * most 30 s. Returns the last answer.
 */
export async function sendUntilAnswered(
  apis: readonly ApiProcess[],
  key: string,
  letter: Record<string, unknown>,
  first: number,
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    const api = apis[(first + attempt) % apis.length];
    const answer = await createClient(api?.url ?? '', key)
      .post('/v1/mails', letter)
      .catch((error: unknown) => error as Error);
    if (!(answer instanceof Error) && answer.status !== 503) return answer;
    if (attempt === maxTries) throw new Error(`no answer but ${answer instanceof Error ? answer.message : '503'}`);
    await sleep(pauseMs);
  }
}
