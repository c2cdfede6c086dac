import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { findCacheDir, findOnPath } from '#scripts/local-servers/binaries/binary.ts';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { giveUp } from '../give-up.ts';
import { CannotRunHereError } from '../proof.ts';
import { type CommandOptions, runCommand } from '../run-command.ts';
import type { Engine, Environment } from './engine.ts';
import { recordFirewall } from './record-firewall.ts';

const readyWithinMs = 60_000;
const programs = ['dockerd', 'containerd', 'runc', 'iptables', 'ip'] as const;
/** Another engine may own docker0. */
const bridge = { name: 'bluejay0', address: '172.31.232.1/24' };

/**
 * Starts dockerd for this run alone, with a socket and a network of its own. Images stay in the cache folder for the next
 * run. dockerd ends with this process, even when this process is killed. Throws CannotRunHereError.
 */
export async function startEngine(
  environment: Environment,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<Omit<Engine, 'description'>> {
  // Debian installs these where the PATH of most users does not look.
  const path = `${environment.PATH ?? ''}:/usr/sbin:/sbin`;
  if (process.platform !== 'linux') throw new CannotRunHereError('no running Docker engine');
  for (const name of programs) {
    if (!(await findOnPath(name, path))) throw new CannotRunHereError(`no running Docker engine, and no ${name}`);
  }
  if (process.getuid?.() !== 0) throw new CannotRunHereError('no running Docker engine, and no right to start one');

  const dataRoot = join(findCacheDir(environment), 'prove', 'docker');
  await mkdir(dataRoot, { recursive: true });
  const system = { env: { ...environment, PATH: path }, withinMs: 10_000 };
  const held = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'bluejay-engine-'));
    held.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await removeBridge(system);
    held.defer(() => removeBridge(system));
    const firewall = await recordFirewall(`${dataRoot}.firewall.json`, system.env);
    held.defer(() => firewall.restore());
    const keeper = await startKeeper();
    held.defer(() => keeper.close());
    await runCommand(['ip', 'link', 'add', bridge.name, 'type', 'bridge'], system);
    await runCommand(['ip', 'address', 'add', bridge.address, 'dev', bridge.name], system);
    await runCommand(['ip', 'link', 'set', bridge.name, 'up'], system);
    const socket = join(folder, 'docker.sock');
    const configFile = join(folder, 'daemon.json');
    await writeFile(configFile, JSON.stringify(engineConfig(folder, dataRoot, socket)));
    const logFile = join(folder, 'dockerd.log');
    const engine = await keeper.start({
      name: 'dockerd',
      command: 'dockerd',
      args: ['--config-file', configFile],
      cwd: folder,
      environment: { PATH: path, HOME: folder },
      output: { file: logFile },
      identityFile: join(folder, 'dockerd.json'),
      wave: 1,
      stopWithinMs: 30_000,
    });
    const env = { PATH: path, DOCKER_HOST: `unix://${socket}` };
    let hasEnded = false;
    void engine.ended.then(() => {
      hasEnded = true;
    });
    const answers = () => runCommand(['docker', 'info'], { env: { ...environment, ...env }, withinMs: 10_000 });
    const isDecided = async () => hasEnded || signal.aborted || (await answers().then(Boolean, () => false));
    report('Starting dockerd …');
    const isReady = (await pollUntil(isDecided, { everyMs: 200, withinMs: readyWithinMs })) && !hasEnded;
    signal.throwIfAborted();
    if (!isReady) throw new CannotRunHereError(`dockerd does not start here: ${await lastError(logFile)}`);
    return { environment: env, stop: () => held.disposeAsync() };
  } catch (error) {
    return await giveUp(held, error, report);
  }
}

/** Networks of its own, so that it does not collide with those of another engine. */
function engineConfig(folder: string, dataRoot: string, socket: string) {
  return {
    'data-root': dataRoot,
    'exec-root': join(folder, 'exec'),
    pidfile: join(folder, 'dockerd.pid'),
    hosts: [`unix://${socket}`],
    'userland-proxy': false,
    bridge: bridge.name,
    'default-address-pools': [{ base: '172.31.224.0/21', size: 24 }],
  };
}

/** Also that of a killed run. */
async function removeBridge(options: CommandOptions): Promise<void> {
  const isThere = await runCommand(['ip', 'link', 'show', bridge.name], options).then(
    () => true,
    () => false,
  );
  if (isThere) await runCommand(['ip', 'link', 'delete', bridge.name], options);
}

async function lastError(logFile: string): Promise<string> {
  const lines = await runCommand(['tail', '-n', '3', logFile], { withinMs: 5_000 });
  return lines.split('\n').at(-1) ?? '';
}
