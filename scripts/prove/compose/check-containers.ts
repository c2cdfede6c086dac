import { type Installation, type Service, services } from './installation.ts';

/** The only one that runs as root, without any capability: its volume belongs to root. */
const mayBeRoot: Service[] = ['store'];

/** Checks from inside that the limits of docker-compose.yml are in force in each container. */
export async function checkPrivileges(installation: Installation): Promise<string> {
  for (const service of services) {
    const status = await installation.inside(service, 'cat', '/proc/1/status');
    const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1];
    const found = { capabilities: field('CapBnd'), noNewPrivileges: field('NoNewPrivs'), seccomp: field('Seccomp') };
    const isLimited = /^0+$/.test(found.capabilities ?? '') && found.noNewPrivileges === '1' && found.seccomp === '2';
    if (!isLimited) throw new Error(`${service} has more rights than it should: ${JSON.stringify(found)}`);
    const isRoot = field('Uid') === '0';
    if (isRoot && !mayBeRoot.includes(service)) throw new Error(`${service} runs as root.`);
    const canWrite = await installation.inside(service, 'touch', '/proof').then(
      () => true,
      () => false,
    );
    if (canWrite) throw new Error(`The root of ${service} can be written.`);
  }
  return `read-only root, no capability, no new privileges, seccomp; as root only ${mayBeRoot.join(', ')}`;
}

/**
 * Returns the seconds from the start of each container to its first successful health check, for the detail of a check.
 * Call it soon: the engine remembers its last 256 events, and each health check is one.
 */
export async function measureStart(installation: Installation, since: Date): Promise<string> {
  const figures: string[] = [];
  for (const service of services) {
    const [id = ''] = await installation.containersOf(service);
    const state = ['inspect', '--format', '{{.State.StartedAt}} {{.State.Health.Status}}', id];
    const [startedAt = '', health] = (await installation.docker(...state)).split(' ');
    if (health !== 'healthy') throw new Error(`${service} is ${health}.`);
    const range = ['--since', since.toISOString(), '--until', new Date().toISOString()];
    const filters = ['--filter', `container=${id}`, '--filter', 'event=health_status: healthy'];
    const events = await installation.docker('events', ...range, ...filters, '--format', '{{.TimeNano}}');
    const [first] = events.split('\n').filter((line) => line !== '');
    const seconds = Number(first) / 1e9 - Date.parse(startedAt) / 1_000;
    figures.push(first ? `${service} ${seconds.toFixed(1)} s` : `${service} not known`);
  }
  return figures.join(', ');
}

/** Returns the memory of each container now, with its limit. */
export async function measureMemory(installation: Installation): Promise<string> {
  const figures: string[] = [];
  for (const service of services) {
    const [id = ''] = await installation.containersOf(service);
    const usage = await installation.docker('stats', '--no-stream', '--format', '{{.MemUsage}}', id);
    figures.push(`${service} ${usage.replace(' / ', ' of ')}`);
  }
  return figures.join(', ');
}

/** Stops all containers and checks that the product's processes end by themselves, with exit code 0. */
export async function checkStop(installation: Installation): Promise<string> {
  const ids: [Service, string][] = [];
  for (const service of ['api', 'workers', 'render'] as const) {
    for (const id of await installation.containersOf(service)) ids.push([service, id]);
  }
  await installation.compose('stop');
  for (const [service, id] of ids) {
    const code = await installation.docker('inspect', '--format', '{{.State.ExitCode}}', id);
    if (code !== '0') throw new Error(`A container of ${service} ended with exit code ${code}.`);
  }
  return `${ids.length} containers of the product ended with exit code 0`;
}
