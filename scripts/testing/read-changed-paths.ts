import { spawnSync } from 'node:child_process';
import { OperatorError } from '#scripts/program/operator-error.ts';

/**
 * Returns the paths below `root` that differ from the last commit, deleted ones too, and those that git does not know yet.
 * Throws an OperatorError outside a checkout.
 */
export function readChangedPaths(root: string): Set<string> {
  function git(...args: string[]): string {
    const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    if (status === 0) return stdout;
    throw new OperatorError(`--changed asks git what has changed, which failed: ${error?.message ?? stderr.trim()}`);
  }
  const tracked = git('diff', '--name-only', '--no-renames', '--relative', '-z', 'HEAD');
  return new Set(`${tracked}${git('ls-files', '--others', '--exclude-standard', '-z')}`.split('\0').filter(Boolean));
}
