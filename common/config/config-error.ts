import type { z } from 'zod';
import type { EnvironmentProblem } from './secret-files.ts';

/** What is said of a variable that is needed and not set. */
export const missing = 'is missing';

/** Invalid environment variables. The message is for operators and has one line per variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(issues: readonly z.core.$ZodIssue[], fileProblems: readonly EnvironmentProblem[]) {
    const known = new Set(fileProblems.map(({ secret }) => secret));
    const lines = fileProblems.map(({ name, message }) => `  ${name}: ${message}`);
    for (const { path, message, code } of issues) {
      const name = String(path[0] ?? '?');
      const isMissing = message === missing || (code === 'invalid_type' && message.includes('undefined'));
      // The missing secret is already reported as a problem of its file.
      if (isMissing && known.has(name)) continue;
      lines.push(`  ${name}: ${isMissing ? missing : message}`);
    }
    super(`Invalid environment variables:\n${lines.join('\n')}\nEvery variable is explained in .env.example.`);
  }
}
