import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type ListenOptions } from 'node:net';
import { join } from 'node:path';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';

/** Returns why a port cannot be listened on, such as `EADDRINUSE` or `EACCES`, or undefined when it can. */
export async function findPortProblem(options: ListenOptions): Promise<string | undefined> {
  const server = createServer();
  const problem = new Promise<string | undefined>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ ...options, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
  return problem;
}

/**
 * Ports that no system gives to outgoing connections or to programs that ask for any port. One of those could be taken
 * again before the caller listens on it.
 */
const firstPort = 10_000;
const portsPerProcess = 50;
const processes = 400;
let asked = 0;

/**
 * Returns a port on which nothing listens. Processes with neighbouring ids choose from different ports, and one process
 * repeats a port only after 49 others.
 */
export async function findFreePort(): Promise<number> {
  const start = firstPort + (process.pid % processes) * portsPerProcess;
  for (let tried = 0; tried < portsPerProcess; tried += 1) {
    const port = start + (asked % portsPerProcess);
    asked += 1;
    const problems = [await findPortProblem({ port, host: '127.0.0.1' }), await findPortProblem({ port })];
    if (problems.every((problem) => problem === undefined)) return port;
  }
  throw new Error(
    `All ports from ${start} to ${start + portsPerProcess - 1} are in use. Stop a program that uses one.`,
  );
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
  const isSettled = async () => !isAlive() || (await probePort(port));
  return (await pollUntil(isSettled, { everyMs: 20, withinMs })) && isAlive();
}

/** Returns whether a loopback port accepts a connection and, with a question, begins its answer as expected. */
export function probePort(port: number, ask?: { question: string; answer: string }): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    const finish = (isServing: boolean) => {
      socket.destroy();
      resolve(isServing);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('data', (data) => finish(data.toString().startsWith(ask?.answer ?? '')));
    socket.once('connect', () => (ask ? socket.write(ask.question) : finish(true)));
  });
}
