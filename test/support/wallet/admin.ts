import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import mongoose from 'mongoose';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { runAdmin } from '#scripts/admin/run-admin.ts';
import { afterAll } from '../jest.ts';

export type AdminAnswer = {
  code: number;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: assertions check the results
  json: any;
};

export type Admin = {
  environment: Record<string, string | undefined>;
  /** Runs a command in this process with `--json`. The command opens its own database connection. */
  run(...words: string[]): Promise<AdminAnswer>;
  /** Runs a command with `--json` that must succeed, and returns its result. */
  // biome-ignore lint/suspicious/noExplicitAny: assertions check the results
  get(...words: string[]): Promise<any>;
  /** Sets the standard input of later commands. */
  type(text: string): void;
  /** Runs a command without `--json`. */
  runForPeople(...words: string[]): Promise<AdminAnswer>;
  /** Connects to the database between two commands. */
  inDatabase<T>(look: () => Promise<T>): Promise<T>;
};

/** The options of `org create` that give its address. */
export const address = ['--line1', 'Rue Haute 1', '--zip', '1000', '--city', 'Bruxelles', '--country', 'BE'];

/** Creates an installation of its own for a test file, on the shared test servers and with an empty database. */
export function useAdmin(): Admin {
  const name = `t-${randomUUID().slice(0, 12)}`;
  const uri = new URL(process.env.MONGODB_URI ?? 'mongodb://is-not-set');
  uri.pathname = `/${name}`;
  const environment = {
    ...process.env,
    MONGODB_URI: uri.href,
    QUEUE_PREFIX: name,
    ENCRYPTION_KEYS: `t:${Buffer.alloc(32, 7).toString('base64')}`,
  };

  async function inDatabase<T>(look: () => Promise<T>): Promise<T> {
    await connectMongo(environment.MONGODB_URI, name);
    return await look().finally(disconnectMongo);
  }
  afterAll(async () => {
    await inDatabase(async () => mongoose.connection.dropDatabase());
  });

  let typed = '';

  async function runForPeople(...words: string[]): Promise<AdminAnswer> {
    let stdout = '';
    let stderr = '';
    const output = {
      write: (text: string) => {
        stdout += text;
      },
      writeError: (text: string) => {
        stderr += text;
      },
    };
    const input = Readable.from(typed === '' ? [] : [typed]);
    const code = await runAdmin(words, { environment, workingDir: process.cwd(), output, input });
    return { code, stdout, stderr, json: stdout.startsWith('{') || stdout.startsWith('[') ? JSON.parse(stdout) : null };
  }
  const run = (...words: string[]) => runForPeople(...words, '--json');

  return {
    environment,
    run,
    runForPeople,
    type: (text) => {
      typed = text;
    },
    inDatabase,
    async get(...words) {
      const { code, stderr, json } = await run(...words);
      if (code !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`);
      return json;
    },
  };
}
