import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { pollUntil } from '#scripts/program/poll-until.ts';
import type { Environment } from '#scripts/prove/engine/engine.ts';
import { type CommandOptions, runCommand } from '#scripts/prove/run-command.ts';

export const node = { name: 'node1', address: '10.9.0.1' };

const readyWithinMs = 10_000;
const emptyWithinMs = 30_000;

/** A program that runs until its standard input ends. */
export type OpenProgram = {
  /** Ends its input. Returns what it has printed, or throws with what it has printed to standard error. */
  stop(): Promise<string>;
};

/** Processes with a network, mounts and process ids of their own, which all end with it. */
export type Enclosure = {
  /** Runs a command inside, like `runCommand`. */
  run(words: string[], options: CommandOptions): Promise<string>;
  /** Starts a program inside that runs until the end. Its output goes to the file. */
  start(words: string[], environment: Environment, logFile: string): void;
  /** Starts a program inside whose input ends with `stop`. */
  open(words: string[], environment: Environment): OpenProgram;
  /** Ends everything inside. Throws when a process is left. */
  end(): Promise<void>;
};

/**
 * Firewall rules, interfaces and mounts of a cluster stay inside, and the kernel removes them with the last process. The
 * kubelet and containerd also write to fixed folders and kernel parameters: they get copies.
 */
const setUp = `
set -e
ip link set lo up
ip link add node0 type veth peer name node9
ip link set node9 up
ip address add ${node.address}/24 dev node0
ip link set node0 up
ip route add default via 10.9.0.254 dev node0
echo 1 > /proc/sys/net/ipv4/ip_forward
mount -t tmpfs tmpfs /run
mkdir -p /run/netns /run/changed /run/work
mount -t overlay -o lowerdir=/var/lib,upperdir=/run/changed,workdir=/run/work overlay /var/lib
mount -t tmpfs tmpfs /var/log
for name in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys \\
  kernel/keys/root_maxbytes; do
  copy=/run/parameter-$(echo $name | tr / -)
  cat /proc/sys/$name > $copy
  mount --bind $copy /proc/sys/$name
done
{ cat /etc/hosts; echo ${node.address} ${node.name}; } > /run/hosts
mount --bind /run/hosts /etc/hosts
echo ready
while :; do sleep 3600 & wait; done
`;

/** Starts it. Everything inside ends with this process, even when this process is killed. */
export async function isolate(folder: string, path: string): Promise<Enclosure> {
  const keeper = await startKeeper();
  const logFile = join(folder, 'enclosure.log');
  const kept = await keeper.start({
    name: 'enclosure',
    command: 'unshare',
    args: ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', setUp],
    cwd: '/',
    environment: { PATH: path },
    output: { file: logFile },
    identityFile: join(folder, 'enclosure.json'),
    wave: 1,
    // unshare ignores SIGTERM.
    stopWithinMs: 1,
  });
  const log = async () => await readFile(logFile, 'utf8').catch(() => '');
  const isReady = await pollUntil(async () => /^ready$/m.test(await log()), { everyMs: 50, withinMs: readyWithinMs });
  if (!isReady) {
    await keeper.close();
    throw new Error(`Namespaces do not work here: ${await log()}`);
  }
  const children = `/proc/${kept.pid}/ns/pid_for_children`;
  const pidNamespace = await readlink(children);
  const enter = ['nsenter', `--target=${kept.pid}`, '--net', '--mount', `--pid=${children}`, '--'];
  return {
    run: (words, options) => runCommand([...enter, ...words], options),
    start([...words], environment, file) {
      const output = openSync(file, 'a');
      const [command = '', ...args] = [...enter, ...words];
      // Ctrl-C in the terminal does not reach it.
      const child = spawn(command, args, { env: environment, stdio: ['ignore', output, output], detached: true });
      closeSync(output);
      child.on('error', () => {});
      child.unref();
    },
    open([...words], environment) {
      const [command = '', ...args] = [...enter, ...words];
      const child = spawn(command, args, { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
      const printed = Promise.all([text(child.stdout), text(child.stderr)]);
      return {
        async stop() {
          child.stdin.end();
          const [output, problem] = await printed;
          if (output === '') throw new Error(`${words.join(' ')} printed nothing: ${problem}`);
          return output;
        },
      };
    },
    async end() {
      await keeper.close();
      const isEmpty = async () => !(await hasProcesses(pidNamespace));
      const isOver = await pollUntil(isEmpty, { everyMs: 100, withinMs: emptyWithinMs });
      if (!isOver) throw new Error('Processes of the cluster are left.');
    },
  };
}

async function hasProcesses(pidNamespace: string): Promise<boolean> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if ((await readlink(`/proc/${pid}/ns/pid`).catch(() => '')) === pidNamespace) return true;
  }
  return false;
}
