import { z } from 'zod';
import type { AuditActor } from '#common/audit/audit.model.ts';
import type { Clock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Redis } from '#common/platform/redis/redis.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { KeyRing } from '#common/secrets.ts';

/** The services of a command. The database is connected while a command runs. */
export type AdminServices = {
  config: Pick<Config, 'redis' | 'print'>;
  keyRing: KeyRing;
  clock: Clock;
  /** The operator, for the audit log. */
  actor: AuditActor;
  log: Log;
  /** Opens a connection to Redis for this work. Commands wait until it is there. */
  withRedis<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result>;
  /** Opens the object store for this work. */
  withStore<Result>(work: (store: ObjectStore) => Promise<Result>): Promise<Result>;
  /** Reads a password from standard input. A terminal does not show it. */
  readPassword(): Promise<string>;
  /** The base of relative paths on the command line. */
  workingDir: string;
};

/** One input of a command: an option by its commander flags (`--org <id>`), or a positional argument without flags. */
export type Field<Schema extends z.ZodType = z.ZodType> = { flags?: string; help: string; schema: Schema };

export function option<Schema extends z.ZodType>(flags: string, help: string, schema: Schema) {
  return { flags, help, schema } satisfies Field;
}

export function argument<Schema extends z.ZodType>(help: string, schema: Schema) {
  return { help, schema } satisfies Field;
}

type Fields = Record<string, Field>;
type InputOf<Own extends Fields> = { [Name in keyof Own]: z.output<Own[Name]['schema']> };

/** One admin command: its name and inputs, action, and text output. */
export type AdminCommand<Own extends Fields, Result> = {
  /** Noun and verb: `key create`. */
  name: string;
  summary: string;
  /** The name of an option's field is its long flag in camelCase. Arguments are in the order of the command line. */
  fields: Own;
  /** Returns a message for each field that does not fit the others. */
  check?(input: InputOf<Own>): Record<string, string | null>;
  /** Whether it also runs on a database with pending migrations. */
  runsUnmigrated?: boolean;
  /** Returns what `--json` prints. */
  run(input: InputOf<Own>, services: AdminServices): Promise<Result>;
  /** Returns whether the exit code is 1 although there is a result. */
  hasFailed?(result: Result): boolean;
  /** Returns the result as text. */
  describe(result: Result): string;
};

/** A command with its types erased, for the command line. */
export type AnyAdminCommand = Omit<AdminCommand<Fields, unknown>, 'check' | 'run' | 'hasFailed' | 'describe'> & {
  input: z.ZodType;
  run(input: never, services: AdminServices): Promise<unknown>;
  hasFailed?(result: never): boolean;
  describe(result: never): string;
};

/** Declares a command. The types of its input, result and output are checked against each other. */
export function defineCommand<Own extends Fields, Result>(command: AdminCommand<Own, Result>): AnyAdminCommand {
  const shape = Object.fromEntries(Object.entries(command.fields).map(([name, { schema }]) => [name, schema]));
  const input = z.strictObject(shape).check(({ value, issues }) => {
    for (const [field, message] of Object.entries(command.check?.(value as InputOf<Own>) ?? {})) {
      if (message !== null) issues.push({ code: 'custom', input: value, path: [field], message });
    }
  });
  return { ...command, input } as unknown as AnyAdminCommand;
}

/** Returns one line per field, with the values aligned. */
export function describeFields(fields: Record<string, string | number>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join('\n');
}
