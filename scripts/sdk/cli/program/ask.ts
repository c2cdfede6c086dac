import { createInterface } from 'node:readline/promises';
import { addAbortSignal, Writable } from 'node:stream';
import type { Context } from './command.ts';
import { Interrupted, Refusal } from './failure.ts';
import { writeError } from './output.ts';

/** More than any key or list of recipients has. */
const maxInputLength = 10_000_000;

/** Returns whether a person can answer questions: both standard input and standard error are a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks for a line, with a default in brackets. Throws Interrupted. */
export async function askLine(question: string, preset: string, signal: AbortSignal): Promise<string> {
  return (await ask(`${question} [${preset}] `, process.stderr, signal)).trim() || preset;
}

/** Asks for a secret without showing what is typed. Throws Interrupted. */
export async function askSecret(question: string, signal: AbortSignal): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return (await ask(question, nowhere, signal)).trim();
  } finally {
    process.stderr.write('\n');
  }
}

async function ask(question: string, echo: NodeJS.WritableStream, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  // It takes the terminal out of its echoing mode. The question comes after that: an answer may follow at once.
  const lines = createInterface({ input: process.stdin, output: echo, terminal: true, historySize: 0 });
  if (echo !== process.stderr) process.stderr.write(question);
  return await new Promise<string>((resolve, reject) => {
    // `close` comes first when the input ends or Ctrl-C is pressed.
    lines.once('close', () => reject(new Interrupted()));
    lines.question(question, { signal }).then(resolve, () => reject(signal.reason ?? new Interrupted()));
  }).finally(() => lines.close());
}

/** Reads standard input to its end. Throws Refusal when it is too long. */
export async function readStandardInput(signal: AbortSignal): Promise<string> {
  if (process.stdin.isTTY) writeError('Reading standard input. Ctrl-D ends it.');
  let text = '';
  for await (const chunk of addAbortSignal(signal, process.stdin)) {
    text += chunk;
    if (text.length > maxInputLength) throw new Refusal('Standard input is too long.');
  }
  return text;
}

/** Asks a person to confirm what costs money. Without a terminal `--yes` is required. Throws Refusal, Interrupted. */
export async function confirmSpending({ has, signal }: Context, what: string): Promise<void> {
  if (has('yes')) return;
  if (!canAsk()) {
    const next = 'Repeat the command with --yes to send it, or with --dry-run to see its price.';
    throw new Refusal(`${what} needs a confirmation, and there is no terminal to ask at.`, {
      code: 'NOT_CONFIRMED',
      next,
    });
  }
  const answer = await askLine(`${what}? yes/no`, 'no', signal);
  if (!/^y(es)?$/i.test(answer)) throw new Refusal('Nothing was sent.', { code: 'NOT_CONFIRMED' });
}
