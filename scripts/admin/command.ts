import type { z } from 'zod';
import type { AuditActor } from '#common/audit/audit.model.ts';
import type { Clock } from '#common/clock.ts';
import type { Config } from '#common/config.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { KeyRing } from '#common/secrets.ts';

/** The services of a command. The database is connected while a command runs. */
export type AdminServices = {
  config: Pick<Config, 'redis'>;
  keyRing: KeyRing;
  clock: Clock;
  /** The operator, for the audit log. */
  actor: AuditActor;
  log: Log;
  /** Reads a password from standard input. A terminal does not show it. */
  readPassword(): Promise<string>;
  /** The base of relative paths on the command line. */
  workingDir: string;
};

/** One admin command: its name and options, input schema, action, and text output. */
export type AdminCommand<Input extends Record<string, z.ZodType>, Result> = {
  /** Noun and verb: `key create`. */
  name: string;
  summary: string;
  /** Help of the positional arguments, by the name of their input field. */
  arguments?: Record<string, string>;
  /** Help of the options, by their commander flags (`--org <id>`). Their camelCase names are the input fields. */
  options?: Record<string, string>;
  input: z.ZodObject<Input>;
  /** Whether it also runs on a database with pending migrations. */
  runsUnmigrated?: boolean;
  /** Returns what `--json` prints. */
  run(input: z.output<z.ZodObject<Input>>, services: AdminServices): Promise<Result>;
  /** Returns the result as text. */
  describe(result: Result): string;
};

/** A command with its types erased, for the command line. */
export type AnyAdminCommand = Omit<AdminCommand<Record<string, z.ZodType>, unknown>, 'run' | 'describe'> & {
  run(input: never, services: AdminServices): Promise<unknown>;
  describe(result: never): string;
};

/** Declares a command. The types of its input, result and output are checked against each other. */
export function defineCommand<Input extends Record<string, z.ZodType>, Result>(
  command: AdminCommand<Input, Result>,
): AnyAdminCommand {
  return command as unknown as AnyAdminCommand;
}

/** Returns one line per field, with the values aligned. */
export function describeFields(fields: Record<string, string | number>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join('\n');
}
