import { createHmac } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { waitForListener } from '../../scripts/local-servers/ports.ts';
import { isAlive, type Program, startNode } from './process-control.ts';

const folder = join(import.meta.dirname, '../../scripts/examples/receivers');
const leash = join(import.meta.dirname, 'leash.program.ts');
const startsWithinMs = 10_000;

/** The receivers that integrators copy: what runs each of them, and with which words. */
const receivers = {
  'Node.js': { program: process.execPath, args: () => [join(folder, 'receiver.mjs')] },
  Python: { program: 'python3', args: () => [join(folder, 'receiver.py')] },
  PHP: { program: 'php', args: (port: number) => ['-S', `127.0.0.1:${port}`, join(folder, 'receiver.php')] },
};
export type Language = keyof typeof receivers;
export const languages = Object.keys(receivers) as Language[];

/**
 * Why a language's receiver cannot run here; undefined when it can. In CI that is an error, since a test that silently
 * never runs protects nobody.
 */
export function findMissing(language: Language, env: NodeJS.ProcessEnv): string | undefined {
  const { program } = receivers[language];
  const folders = isAbsolute(program) ? [''] : (env.PATH ?? '').split(delimiter);
  if (folders.some((path) => isExecutable(join(path, program)))) return undefined;
  const reason = `${program} is not on the PATH`;
  if (env.CI === 'true') throw new Error(`The receiver in ${language} must be tested in CI, but ${reason}.`);
  process.stderr.write(`Skipped the receiver in ${language}, because ${reason}.\n`);
  return reason;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const running = new Set<Program>();

/** For `afterEach`: ends every receiver that runs. */
export async function stopExampleReceivers(): Promise<void> {
  await Promise.all([...running].map(stop));
}

async function stop(receiver: Program): Promise<void> {
  receiver.kill('SIGTERM');
  await receiver.ended;
  running.delete(receiver);
}

export type ExampleReceiverOptions = { language: Language; secret: string; port: number; inbox: string };

/** Starts a receiver as its first lines say, and waits until it listens. */
export async function startExampleReceiver({ language, secret, port, inbox }: ExampleReceiverOptions) {
  const { program, args } = receivers[language];
  const environment = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port), INBOX: inbox };
  const started = startNode([leash, program, ...args(port)], { environment });
  running.add(started);
  const listens = await waitForListener(port, () => isAlive(started.pid), startsWithinMs);
  if (!listens) throw new Error(`The receiver in ${language} does not listen:\n${started.output()}`);

  return {
    /** The events that it took for new, in its own words: `MAIL_QUEUED mj_…`. */
    taken: () =>
      started
        .output()
        .split('\n')
        .filter((line) => /^MAIL_[A-Z]+ mj_\w+$/.test(line)),
    /** What it keeps, by file name; a file that is half written would be seen too. */
    async kept(): Promise<Record<string, string>> {
      const names = await readdir(inbox);
      const files = names.map(async (name) => [name, await readFile(join(inbox, name), 'utf8')] as const);
      return Object.fromEntries(await Promise.all(files));
    },
    /** Sends it a delivery; the status that it answers. */
    async post(rawBody: string, signature: string | undefined): Promise<number> {
      const headers = { 'content-type': 'application/json', ...(signature && { 'x-service-signature': signature }) };
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: rawBody });
      await answer.text();
      return answer.status;
    },
    stop: () => stop(started),
  };
}

/** The signature header of a delivery that was signed `ageS` seconds ago, made with code of its own. */
export function signAt(secret: string, rawBody: string, ageS: number): string {
  const t = Math.floor(Date.now() / 1000) - ageS;
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${rawBody}`).digest('hex')}`;
}
