import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../project/markdown.ts';

/** The commit of the version that precedes this one: of OLD_COMMIT, or of the last release. */
export const previousCommit =
  process.env.OLD_COMMIT ?? readFileSync(join(root, 'scripts/deploy/previous-version'), 'utf8').trim();

/** Returns whether this clone has the previous version. A shallow one has not. */
export function hasPreviousVersion(): boolean {
  return spawnSync('git', ['cat-file', '-e', `${previousCommit}^{commit}`], { cwd: root }).status === 0;
}

/**
 * Writes the files of the previous version into a new folder, with the dependencies that are installed here, and returns
 * the folder.
 */
export async function openPreviousVersion(): Promise<{ folder: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'bluejay-previous-'));
  const archive = execFileSync(
    'git',
    ['archive', previousCommit, 'api', 'common', 'workers', 'scripts', 'package.json'],
    {
      cwd: root,
      maxBuffer: 512 * 1024 * 1024,
    },
  );
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder, close: () => rm(folder, { recursive: true, force: true }) };
}
