import { fenceNames } from '#common/config/variables.ts';
import type { Installation, Service } from './installation.ts';

const namespace = ['unshare', '--map-root-user', '--net', '--'];
const metricsPorts = { api: 9464, render: 9465 } as const;

/**
 * Whether this system gives containers user namespaces: its settings or AppArmor may forbid them. Asked without the seccomp
 * profile of the product, whose mistakes must not look like such a system.
 */
export async function permitsNamespaces({ docker, image }: Installation): Promise<boolean> {
  const [program = '', ...words] = namespace;
  const run = ['run', '--rm', '--network', 'none', '--security-opt', 'seccomp=unconfined', '--entrypoint', program];
  return await docker(...run, image, ...words, 'true').then(
    () => true,
    () => false,
  );
}

/** The gauges that the process itself has set at its start, by probing each fence with the command that starts children. */
export async function checkFences(installation: Installation, hasNamespaces: boolean): Promise<string> {
  const required = fenceNames.filter((fence) => hasNamespaces || fence !== 'network');
  for (const [service, port] of Object.entries(metricsPorts) as ['api' | 'render', number][]) {
    const script = `fetch('http://127.0.0.1:${port}/metrics').then(async (answer) => console.log(await answer.text()))`;
    const metrics = await installation.inside(service, 'node', '-e', script);
    for (const fence of required) {
      const found = metrics.split('\n').find((line) => line.startsWith(`document_fences{fence="${fence}"`));
      if (!found?.endsWith(' 1')) throw new Error(`${service} lacks the fence ${fence}: ${found ?? 'no such metric'}`);
    }
  }
  return `${required.join(', ')} in ${Object.keys(metricsPorts).join(' and ')}`;
}

/** What a document process that has broken out of V8 could try, as the same user in the same container. */
export async function checkEscapes(installation: Installation, hasNamespaces: boolean): Promise<string> {
  // Families: 2 AF_INET, 16 AF_NETLINK, 17 AF_PACKET. Types: 1 SOCK_STREAM, 3 SOCK_RAW. Protocol 12: NETLINK_NETFILTER.
  const socket = (...numbers: number[]) => ['perl', '-e', `socket(my $s, ${numbers.join(', ')}) or die "$!\\n"`];
  const connect = "require('net').connect({ host: process.argv[1], port: 27017 }).on('connect', () => process.exit(0))";
  const mongodb = await addressOf(installation, 'mongodb');
  // Only the open: a read at address 0 fails in any case.
  const openMemory = (id: string) => ['sh', '-c', `: < /proc/${id}/mem`];
  // Fails with EPERM alone (1), which is the seccomp profile's answer. Any other one comes from the code behind it.
  const setOption = (level: number, option: number) => [
    ...['perl', '-e'],
    `socket(my $s, 2, 1, 0) or die; setsockopt($s, ${level}, ${option}, "x" x 96) or $! == 1 and exit 1`,
  ];
  const inNamespace: [string, string[]][] = [
    ['a connection to MongoDB from a document process', ['node', '-e', connect, mongodb]],
    ['a raw socket in the namespace', socket(2, 3, 1)],
    ['a packet socket in the namespace', socket(17, 3, 0)],
    ['a netfilter socket in the namespace', socket(16, 3, 12)],
    ['rules of iptables in the namespace', setOption(0, 64)],
  ];
  const refused: [string, string[]][] = [
    ['reading the environment of the worker', ['cat', '/proc/1/environ']],
    ['reading the memory of the worker', openMemory('1')],
    ['a mount namespace', ['unshare', '--map-root-user', '--mount', 'true']],
    ['a process namespace', ['unshare', '--map-root-user', '--pid', '--fork', 'true']],
    ...inNamespace
      .filter(() => hasNamespaces)
      .map(([what, words]): [string, string[]] => [what, [...namespace, ...words]]),
  ];
  for (const [what, words] of refused) {
    const isPossible = await installation.inside('render', 'timeout', '10', ...words).then(
      () => true,
      () => false,
    );
    if (isPossible) throw new Error(`In render, this is possible: ${what}.`);
  }
  // The same commands work where they should, so it is not the commands that fail.
  await installation.inside('render', 'node', '-e', connect, mongodb);
  await installation.inside('render', ...openMemory('self'));
  if (hasNamespaces) {
    await installation.inside('render', ...namespace, ...socket(2, 1, 0));
    // IP_TTL: the program ends with 0 where the option is permitted.
    await installation.inside('render', ...namespace, ...setOption(0, 2));
  }
  return refused.map(([what]) => what).join(', ');
}

/** Compares the way from `render` to a container outside its network with that from `workers`, which has one. */
export async function checkNoRouteOut(installation: Installation): Promise<string> {
  const outside = await addressOf(installation, 'store', 'default');
  const ask = (service: Service, withinS: string) =>
    installation.inside(service, 'timeout', withinS, 'node', '-e', `fetch('http://${outside}:7070/healthz')`);
  await ask('workers', '60');
  const isReached = await ask('render', '10').then(
    () => true,
    () => false,
  );
  if (isReached) throw new Error('render reaches a container that is not on its network.');
  const [id = ''] = await installation.containersOf('render');
  const networks = await installation.docker('inspect', '--format', '{{json .NetworkSettings.Networks}}', id);
  const names = Object.keys(JSON.parse(networks));
  for (const name of names) {
    const isInternal = await installation.docker('network', 'inspect', '--format', '{{.Internal}}', name);
    if (isInternal !== 'true') throw new Error(`render is on ${name}, which has a route out.`);
  }
  return `render is on ${names.join(', ')} alone, which is internal`;
}

async function addressOf(installation: Installation, service: Service, network = 'stores'): Promise<string> {
  const [id = ''] = await installation.containersOf(service);
  const text = await installation.docker('inspect', '--format', '{{json .NetworkSettings.Networks}}', id);
  const networks: Record<string, { IPAddress: string }> = JSON.parse(text);
  const found = Object.entries(networks).find(([name]) => name.endsWith(`_${network}`));
  if (!found) throw new Error(`${service} is not on ${network}.`);
  return found[1].IPAddress;
}
