import type { z } from 'zod';
import { ConfigError } from '#common/config/config-error.ts';
import { AppError, type Issue } from '#common/errors.ts';
import { isMongoUnavailable } from '#common/platform/mongo/mongo.ts';
import { StoreUnavailableError } from '#common/platform/s3/object-store-errors.ts';
import { OperatorError } from '../program/operator-error.ts';
import type { AnyAdminCommand } from './command.ts';

/** Option names of domain fields whose name differs on the command line. */
const optionOf: Record<string, string> = { organizationId: 'org', redirectUris: 'redirectUri' };

/** Returns the parsed input of a command. Throws VALIDATION_ERROR with all of its issues. */
export function checkInput(command: AnyAdminCommand, input: Record<string, unknown>): unknown {
  const parsed = command.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue): Issue => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    return { path, message: isMissing(issue, input) ? 'Is missing.' : issue.message };
  });
  throw new AppError('VALIDATION_ERROR', { issues });
}

function isMissing(issue: z.core.$ZodIssue, input: Record<string, unknown>): boolean {
  return issue.path.length === 1 && input[String(issue.path[0])] === undefined;
}

/** Returns one line per problem, naming the option or the fix. */
export function describeProblems(error: unknown, command: AnyAdminCommand): string[] {
  if (error instanceof AppError && error.issues) {
    return error.issues.map(({ path, message }) => `${describePlace(path, command)}${message}`);
  }
  if (error instanceof AppError || error instanceof OperatorError || error instanceof ConfigError) {
    return [error.message];
  }
  if (isMongoUnavailable(error)) {
    return ['MongoDB does not answer at the address in MONGODB_URI: start it or correct the address, then try again.'];
  }
  if (error instanceof StoreUnavailableError) return [`${error.message} Check S3_ENDPOINT, S3_BUCKET and its keys.`];
  return [`The command failed: ${error instanceof Error ? error.message : String(error)}`];
}

/**
 * Returns `--zip: `, `<keyId>: ` or, inside a file, `[2].postage[0].cents: `; empty for an issue of the whole input.
 */
function describePlace([first, ...rest]: Issue['path'], command: AnyAdminCommand): string {
  if (first === undefined) return '';
  if (typeof first === 'number') return `${[first, ...rest].map(toStep).join('')}: `;
  const field = optionOf[first] ?? first;
  if (command.fields[field] && !command.fields[field].flags) return `<${field}>: `;
  return `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: `;
}

function toStep(part: string | number): string {
  return typeof part === 'number' ? `[${part}]` : `.${part}`;
}
