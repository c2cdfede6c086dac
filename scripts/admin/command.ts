import type { z } from 'zod';
import type { Clock } from '../../common/clock.ts';
import type { Config } from '../../common/config.ts';
import type { AuditActor } from '../../common/organizations/audit.model.ts';
import type { Log } from '../../common/platform/log.ts';
import type { KeyRing } from '../../common/secrets.ts';

/** What commands work with, besides the database, which is connected while one runs. */
export type AdminServices = {
  config: Pick<Config, 'redis'>;
  keyRing: KeyRing;
  clock: Clock;
  /** Who runs it, for the audit log. */
  actor: AuditActor;
  log: Log;
  /** Where relative paths on the command line start. */
  workingDir: string;
};

/** One command of the administration: its words, its checks, what it does, and how its result reads. */
export type AdminCommand<Input extends Record<string, z.ZodType>, Result> = {
  /** Noun and verb: `key create`. */
  name: string;
  summary: string;
  /** Positional arguments by the name of their input field, each with its help. */
  arguments?: Record<string, string>;
  /** Options as commander takes them (`--org <id>`), each with its help. Their camelCase names are the input fields. */
  options?: Record<string, string>;
  input: z.ZodObject<Input>;
  /** Whether it also runs on a database whose migrations are pending. */
  runsUnmigrated?: boolean;
  /** What comes back is what `--json` prints. */
  run(input: z.output<z.ZodObject<Input>>, services: AdminServices): Promise<Result>;
  /** The same for people. */
  describe(result: Result): string;
};

/** A command whose types no longer matter: what the command line sees. */
export type AnyAdminCommand = Omit<AdminCommand<Record<string, z.ZodType>, unknown>, 'run' | 'describe'> & {
  run(input: never, services: AdminServices): Promise<unknown>;
  describe(result: never): string;
};

/** Declares a command, checking that its parts fit each other. */
export function defineCommand<Input extends Record<string, z.ZodType>, Result>(
  command: AdminCommand<Input, Result>,
): AnyAdminCommand {
  return command as unknown as AnyAdminCommand;
}

/** Lines of names and values, the values below each other. */
export function describeFields(fields: Record<string, string | number>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join('\n');
}
