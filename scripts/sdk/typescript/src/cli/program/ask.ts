import { createInterface } from 'node:readline/promises';
import type { Context } from './command.ts';
import { Interrupted, Refusal } from './failure.ts';

/** More than any key has. */
const maxSecretLength = 4_096;

/** Returns whether a person can answer questions: both standard input and standard error are a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks for a line, with a default in brackets. */
export async function askLine(question: string, preset: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return await new Promise<string>((resolve, reject) => {
    // `close` comes first when the input ends or Ctrl-C is pressed.
    lines.once('close', () => reject(new Interrupted('stopped')));
    lines.question(`${question} [${preset}] `).then((answer) => resolve(answer.trim() || preset), reject);
  }).finally(() => lines.close());
}

/** Asks for a secret without showing what is typed. */
export async function askSecret(question: string): Promise<string> {
  const { stdin } = process;
  process.stderr.write(question);
  stdin.setRawMode(true);
  try {
    let typed = '';
    for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n') return typed;
        if (character === '\u0003' || character === '\u0004') throw new Interrupted('stopped');
        if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1);
        else if (character >= ' ' && typed.length < maxSecretLength) typed += character;
      }
    }
    throw new Interrupted('stopped');
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    process.stderr.write('\n');
  }
}

/** Reads a secret from standard input to its end. */
export async function readSecret(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) {
    text += chunk;
    if (text.length > maxSecretLength) throw new Refusal('Standard input is too long for a key.');
  }
  return text.trim();
}

/** Asks a person to confirm what costs money. Without a terminal `--yes` is required. Throws Refusal, Interrupted. */
export async function confirmSpending({ has }: Context, what: string): Promise<void> {
  if (has('yes')) return;
  if (!canAsk()) {
    const next = 'Repeat the command with --yes to send it, or with --dry-run to see its price.';
    throw new Refusal(`${what} needs a confirmation, and there is no terminal to ask at.`, {
      code: 'NOT_CONFIRMED',
      next,
    });
  }
  const answer = await askLine(`${what}? yes/no`, 'no');
  if (!/^y(es)?$/i.test(answer)) throw new Refusal('Nothing was sent.', { code: 'NOT_CONFIRMED' });
}
