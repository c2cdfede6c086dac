import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort, findPortProblem } from '../../scripts/local-servers/ports.ts';
import { type Program, startProgram } from './process-control.ts';

const root = join(import.meta.dirname, '../..');

/** The ports of one `npm start`; tests run beside each other and beside whatever else the machine does. */
export type ServicePorts = { PORT: string; WEB_PORT: string; METRICS_PORT: string };

export async function findServicePorts(): Promise<ServicePorts> {
  const [api, web] = [await findFreePort(), await findFreePort()];
  for (;;) {
    // The workers' metrics are on the port after the API's.
    const metrics = await findFreePort();
    const isNextFree = metrics < 65_535 && (await findPortProblem({ port: metrics + 1 })) === undefined;
    if (isNextFree) return { PORT: `${api}`, WEB_PORT: `${web}`, METRICS_PORT: `${metrics}` };
  }
}

/**
 * The environment of a newcomer's terminal: no servers named, only what every shell has. Variables given as undefined
 * are absent.
 */
export function newcomersEnvironment(
  variables: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const { PATH, HOME, XDG_CACHE_HOME, TMPDIR } = process.env;
  return { PATH, HOME, XDG_CACHE_HOME, TMPDIR, ...variables };
}

/** `npm start`, without npm: the same script, the process that would be npm's child. */
export function startService(
  variables: Record<string, string | undefined>,
  options: string[] = ['--no-demo'],
): Program {
  const environment = newcomersEnvironment(variables);
  return startProgram('/bin/sh', [join(root, 'scripts/run.sh'), 'start', ...options], { environment, cwd: '/' });
}

/** The numbers of all processes that run on a data folder, by their names: api, workers, mongodb, … */
export async function readProcesses(dataDir: string): Promise<Record<string, number>> {
  const folder = join(dataDir, 'run');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && name !== 'claim.json');
  const entries = names.map(async (name) => {
    const { pid } = JSON.parse(await readFile(join(folder, name), 'utf8'));
    return [name.replace('.json', ''), pid] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
