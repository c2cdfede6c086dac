import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type ListenOptions, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Returns why a port cannot be listened on, such as `EADDRINUSE` or `EACCES`, or undefined when it can. */
export async function findPortProblem(options: ListenOptions): Promise<string | undefined> {
  const server = createServer();
  const problem = new Promise<string | undefined>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ ...options, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
  return problem;
}

/** Returns a free loopback port, chosen by the operating system. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * Returns the port that this server of the data folder had last time, or a new one when that is in use. The port is
 * stored in `<dataDir>/run/<name>.port`.
 */
export async function findRememberedPort(dataDir: string, name: string): Promise<number> {
  const file = join(dataDir, 'run', `${name}.port`);
  const remembered = Number(await readFile(file, 'utf8').catch(() => ''));
  const isUsable =
    Number.isInteger(remembered) &&
    remembered > 1023 &&
    remembered < 65_536 &&
    (await findPortProblem({ port: remembered, host: '127.0.0.1' })) === undefined;
  const port = isUsable ? remembered : await findFreePort();
  await mkdir(join(dataDir, 'run'), { recursive: true });
  await writeFile(file, `${port}\n`);
  return port;
}

/** Waits until a loopback port accepts connections. Returns false after `withinMs` or when `isAlive` returns false. */
export async function waitForListener(port: number, isAlive: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isAlive() && performance.now() < deadline) {
    if (await canConnect(port)) return true;
    await pause(20);
  }
  return false;
}

function canConnect(port: number): Promise<boolean> {
  const socket = new Socket();
  return new Promise((resolve) => {
    socket.setTimeout(1000);
    const finish = (isConnected: boolean) => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
    socket.connect(port, '127.0.0.1');
  });
}
