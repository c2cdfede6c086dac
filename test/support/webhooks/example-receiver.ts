import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForListener } from '#scripts/local-servers/ports.ts';
import { guardMs } from '../jest.ts';
import { isAlive, type Program, startNode } from '../processes/process-control.ts';

const folder = join(import.meta.dirname, '../../../scripts/examples/receivers');
const killWithParent = join(import.meta.dirname, '../processes/kill-with-parent.program.ts');

/** The example receivers for integrators, with the command that runs each. */
const receivers = {
  'Node.js': { program: process.execPath, args: () => [join(folder, 'receiver.mjs')] },
  Python: { program: 'python3', args: () => [join(folder, 'receiver.py')] },
  PHP: { program: 'php', args: (port: number) => ['-S', `127.0.0.1:${port}`, join(folder, 'receiver.php')] },
};
export type Language = keyof typeof receivers;
export const languages = Object.keys(receivers) as Language[];

export function programOf(language: Language): string {
  return receivers[language].program;
}

const running = new Set<Program>();

/** Stops all running receivers. For `afterEach`. */
export async function stopExampleReceivers(): Promise<void> {
  await Promise.all([...running].map(stop));
}

async function stop(receiver: Program): Promise<void> {
  receiver.kill('SIGTERM');
  await receiver.ended;
  running.delete(receiver);
}

export type ExampleReceiverOptions = { language: Language; secret: string; port: number; inbox: string };

/** Starts a receiver with the command in its header, and waits until it listens. */
export async function startExampleReceiver({ language, secret, port, inbox }: ExampleReceiverOptions) {
  const { program, args } = receivers[language];
  const environment = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port), INBOX: inbox };
  const started = startNode([killWithParent, program, ...args(port)], { environment });
  running.add(started);
  const listens = await waitForListener(port, () => isAlive(started.pid), guardMs);
  if (!listens) throw new Error(`The receiver in ${language} does not listen:\n${started.output()}`);

  return {
    /** The events that it processed as new, as it printed them: `MAIL_QUEUED mj_…`. */
    taken: () =>
      started
        .output()
        .split('\n')
        .filter((line) => /^MAIL_[A-Z]+ mj_\w+$/.test(line)),
    /** The files it has stored, by name, including partially written ones. */
    async kept(): Promise<Record<string, string>> {
      const names = await readdir(inbox);
      const files = names.map(async (name) => [name, await readFile(join(inbox, name), 'utf8')] as const);
      return Object.fromEntries(await Promise.all(files));
    },
    /** Posts a delivery; returns the status of the answer. */
    async post(rawBody: string, signature: string | undefined): Promise<number> {
      const headers = { 'content-type': 'application/json', ...(signature && { 'x-service-signature': signature }) };
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: rawBody });
      await answer.text();
      return answer.status;
    },
    stop: () => stop(started),
  };
}

/** Returns the signature header of a delivery signed `ageS` seconds ago, with an independent implementation. */
export function signAt(secret: string, rawBody: string, ageS: number): string {
  const t = Math.floor(Date.now() / 1000) - ageS;
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${rawBody}`).digest('hex')}`;
}
