import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DemoEnvironment, writeDemoEnvironment } from '#scripts/demo/demo-environment.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { type Program, startProgram } from '../processes/process-control.ts';

const root = join(import.meta.dirname, '../../..');

/** The ports of one `npm start`. Tests run in parallel, so each needs its own. */
export type ServicePorts = { PORT: string; WEB_PORT: string; METRICS_PORT: string };

export async function findServicePorts(): Promise<ServicePorts> {
  const [api, web] = [await findFreePort(), await findFreePort()];
  for (;;) {
    // The workers' metrics are on the port after the API's.
    const [metrics, workersMetrics] = [await findFreePort(), await findFreePort()];
    if (workersMetrics === metrics + 1) return { PORT: `${api}`, WEB_PORT: `${web}`, METRICS_PORT: `${metrics}` };
  }
}

/** Returns the environment of a new user's terminal, without variables of servers. Undefined variables are absent. */
export function newcomersEnvironment(
  variables: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const { PATH, HOME, XDG_CACHE_HOME, TMPDIR } = process.env;
  return { PATH, HOME, XDG_CACHE_HOME, TMPDIR, ...variables };
}

/** Starts the script of `npm start` directly, without npm. */
export function startService(
  variables: Record<string, string | undefined>,
  options: string[] = ['--no-demo'],
): Program {
  const environment = newcomersEnvironment(variables);
  return startProgram('/bin/sh', [join(root, 'scripts/run.sh'), 'start', ...options], { environment, cwd: '/' });
}

/** Writes the demo.env of a service with these values. The others are empty. */
export async function writeDemoFile(dataDir: string, values: Partial<DemoEnvironment>): Promise<void> {
  const orEmpty = { get: (given: typeof values, name: keyof DemoEnvironment) => given[name] ?? '' };
  await writeDemoEnvironment(dataDir, new Proxy(values, orEmpty as ProxyHandler<typeof values>) as DemoEnvironment);
}

/** The names of all processes of `npm start`, as `readProcesses` returns them. */
export const serviceProcesses = ['api', 'mongodb', 'object-store', 'redis', 'workers'];

/** Returns the status with which a service's API says whether it is ready. */
export async function fetchHealth(metricsPort: string): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${metricsPort}/readyz`);
  return status;
}

/** Returns the ids of all processes that run on a data folder, by their names: api, workers, mongodb, … */
export async function readProcesses(dataDir: string): Promise<Record<string, number>> {
  const folder = join(dataDir, 'run');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && name !== 'claim.json');
  const entries = names.map(async (name) => {
    const { pid } = JSON.parse(await readFile(join(folder, name), 'utf8'));
    return [name.replace('.json', ''), pid] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
