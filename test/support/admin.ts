import { randomUUID } from 'node:crypto';
import { afterAll } from '@jest/globals';
import mongoose from 'mongoose';
import { connectMongo, disconnectMongo } from '../../common/platform/mongo.ts';
import { runAdmin } from '../../scripts/admin/run-admin.ts';

export type AdminAnswer = {
  code: number;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: results are judged by the assertions
  json: any;
};

export type Admin = {
  environment: Record<string, string | undefined>;
  /** Runs a command in this process with `--json`; the connection to the database is the command's own. */
  run(...words: string[]): Promise<AdminAnswer>;
  /** The same, for one that must succeed: its result. */
  // biome-ignore lint/suspicious/noExplicitAny: results are judged by the assertions
  get(...words: string[]): Promise<any>;
  /** Without `--json`. */
  runForPeople(...words: string[]): Promise<AdminAnswer>;
  /** Looks into the database between two commands. */
  inDatabase<T>(look: () => Promise<T>): Promise<T>;
};

/** The administration of an installation of the test file's own, on the test's servers; the database is empty. */
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
    const code = await runAdmin(words, { environment, workingDir: process.cwd(), output });
    return { code, stdout, stderr, json: stdout.startsWith('{') || stdout.startsWith('[') ? JSON.parse(stdout) : null };
  }
  const run = (...words: string[]) => runForPeople(...words, '--json');

  return {
    environment,
    run,
    runForPeople,
    inDatabase,
    async get(...words) {
      const { code, stderr, json } = await run(...words);
      if (code !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`);
      return json;
    },
  };
}
