import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import mongoose from 'mongoose';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { runAdmin } from '#scripts/admin/run-admin.ts';
import type { AdminOptions } from '#scripts/admin/run-command.ts';
import { afterAll } from '../jest.ts';
import type { World } from '../product/world.ts';

/** The options of `org create` that give its address. */
export const address = ['--line1', 'Rue Haute 1', '--zip', '1000', '--city', 'Bruxelles', '--country', 'BE'];

/** Runs a command in this process, with `typed` on its standard input. `output` has both streams. */
export async function runCommandLine(
  words: readonly string[],
  options: Pick<AdminOptions, 'environment'> & Partial<AdminOptions>,
  typed = '',
) {
  const parts: { isError: boolean; text: string }[] = [];
  const output: AdminOptions['output'] = {
    write: (text) => void parts.push({ isError: false, text }),
    writeError: (text) => void parts.push({ isError: true, text }),
  };
  const input = Readable.from(typed === '' ? [] : [typed]);
  const code = await runAdmin(words, { workingDir: process.cwd(), input, output, ...options });
  const textOf = (some: typeof parts) => some.map(({ text }) => text).join('');
  return {
    code,
    stdout: textOf(parts.filter(({ isError }) => !isError)),
    stderr: textOf(parts.filter(({ isError }) => isError)),
    output: textOf(parts),
  };
}

/**
 * Returns a function that runs commands in this process on the stores of a world, optionally with some variables changed.
 * They use the world's connection to the database.
 */
export function adminOf(world: World) {
  return (words: readonly string[], variables: Record<string, string> = {}) =>
    runCommandLine(words, {
      environment: { ...world.environment, ...variables },
      withDatabase(url, _appName, work) {
        if (url !== world.config.mongo.url) throw new Error('This command names a database of its own.');
        return work();
      },
    });
}

/** Creates an installation of its own for a test file, on the shared test servers and with an empty database. */
export function useAdmin() {
  const name = `t-${randomUUID().slice(0, 12)}`;
  const uri = new URL(process.env.MONGODB_URI ?? 'mongodb://is-not-set');
  uri.pathname = `/${name}`;
  const environment = {
    ...process.env,
    REDIS_URL: process.env.REDIS_URL,
    S3_ENDPOINT: process.env.S3_ENDPOINT,
    MONGODB_URI: uri.href,
    QUEUE_PREFIX: name,
    ENCRYPTION_KEYS: `t:${Buffer.alloc(32, 7).toString('base64')}`,
  };

  /** Connects to the database between two commands. */
  async function inDatabase<T>(look: () => Promise<T>): Promise<T> {
    await connectMongo(environment.MONGODB_URI, name);
    return await look().finally(disconnectMongo);
  }
  afterAll(async () => {
    await inDatabase(async () => mongoose.connection.dropDatabase());
  });

  let typed = '';

  /** Runs a command in this process, without `--json`. The command opens its own database connection. */
  async function runForPeople(...words: string[]) {
    const { code, stdout, stderr } = await runCommandLine(words, { environment }, typed);
    return { code, stdout, stderr, json: stdout.startsWith('{') || stdout.startsWith('[') ? JSON.parse(stdout) : null };
  }
  /** Runs a command with `--json`. */
  const run = (...words: string[]) => runForPeople(...words, '--json');

  return {
    environment,
    run,
    runForPeople,
    /** Sets the standard input of later commands. */
    type: (text: string) => {
      typed = text;
    },
    inDatabase,
    /** Runs a command with `--json` that must succeed, and returns its result. */
    async get(...words: string[]) {
      const { code, stderr, json } = await run(...words);
      if (code !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`);
      return json;
    },
  };
}
