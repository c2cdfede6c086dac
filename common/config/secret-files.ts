import { readFileSync } from 'node:fs';

type Environment = Record<string, string | undefined>;

/**
 * Variables that hold secrets. Each may instead be read from a file, whose path is in the variable with the suffix
 * `_FILE`.
 */
const secretNames = [
  'MONGODB_URI',
  'REDIS_URL',
  'REDIS_SENTINEL_PASSWORD',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_SESSION_TOKEN',
  'ENCRYPTION_KEYS',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

export const secretFileNames = secretNames.map((name) => `${name}_FILE`);

/** A problem with one variable. The message follows its name. */
export type EnvironmentProblem = { name: string; secret: string; message: string };

/**
 * Returns the environment with each secret that a file names read from that file and trimmed. Reports a problem for
 * each file that is empty or cannot be read and each secret that is set twice. Drops empty variables.
 */
export function readSecretFiles(environment: Environment): {
  environment: Record<string, string>;
  problems: EnvironmentProblem[];
} {
  const present = Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim())),
  );
  const problems: EnvironmentProblem[] = [];
  for (const secret of secretNames) {
    const name = `${secret}_FILE`;
    const path = present[name];
    if (path === undefined) continue;
    if (present[secret] !== undefined) {
      problems.push({ name, secret, message: `set ${secret} or this, not both` });
      continue;
    }
    try {
      const value = readFileSync(path, 'utf8').trim();
      // An empty file must not count as absent, because a default could replace it.
      if (value === '') problems.push({ name, secret, message: 'the file is empty' });
      else {
        present[secret] = value;
        delete present[name];
      }
    } catch (error) {
      // The message omits the path: some operators put the secret itself there.
      problems.push({ name, secret, message: `the file cannot be read (${(error as NodeJS.ErrnoException).code})` });
    }
  }
  return { environment: present, problems };
}
