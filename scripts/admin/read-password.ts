import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { OperatorError } from '../program/operator-error.ts';

/** Standard input, which may be a terminal. */
export type PasswordInput = NodeJS.ReadableStream & { isTTY?: boolean };

/** Larger than any valid password. */
const maxBytes = 4_096;

/**
 * Reads a password. A terminal prompts for it twice without echo; any other input is read to its end, without a final
 * line break. Throws OperatorError when it is empty or the two entries differ.
 */
export async function readPassword(input: PasswordInput, writeError: (text: string) => void): Promise<string> {
  const password = input.isTTY ? await promptTwice(input, writeError) : await readAll(input);
  if (password === '') throw new OperatorError('Give the password on standard input, or let --generate make one.');
  return password;
}

async function readAll(input: PasswordInput): Promise<string> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk));
    byteCount += chunks.at(-1)?.length ?? 0;
    if (byteCount > maxBytes) throw new OperatorError('The password on standard input is too long.');
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

async function promptTwice(input: PasswordInput, writeError: (text: string) => void): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // With `terminal`, readline switches off the terminal's echo and echoes to `output`, which discards it.
  const line = createInterface({ input, output: nowhere, terminal: true });
  const interrupted = new AbortController();
  line.once('SIGINT', () => interrupted.abort());
  const ask = async (prompt: string) => {
    writeError(prompt);
    const answer = await line.question('', { signal: interrupted.signal });
    writeError('\n');
    return answer;
  };
  try {
    const password = await ask('Password: ');
    if (password !== (await ask('Once more: '))) throw new OperatorError('The two passwords are not the same.');
    return password;
  } catch (error) {
    if (interrupted.signal.aborted) throw new OperatorError('Interrupted: nothing was changed.');
    throw error;
  } finally {
    line.close();
  }
}
