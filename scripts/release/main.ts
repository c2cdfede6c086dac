import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../program/run-program.ts';
import { checkChangelog, checkVersion, setVersion } from './set-version.ts';

const root = join(import.meta.dirname, '../..');

// Prepares the release of a version: checks its changelog entry, sets the version everywhere, writes all generated files
// and prints the next steps. Commits and publishes nothing, and can be repeated.
await runProgram(async () => {
  const [version = ''] = process.argv.slice(2);
  checkVersion(root, version);
  checkChangelog(readFileSync(join(root, 'scripts/deploy/changelog.md'), 'utf8'), version);
  setVersion(root, version);
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/generate.ts')], { stdio: 'inherit' });
  if (status !== 0) return 1;
  process.stdout.write(`
${version} is set. Next:
  git diff                                       # review the change
  bash .ci/run                                   # all that a change must pass
  npm run bench -- compare ${lastTag()} webhooks wallet render    # on an idle machine: no ratio above its spread
  git commit --all --message "Release ${version}" && git tag v${version}
  npm run prove -- compose --record              # installs that commit and builds its image twice; commit the result
  docker build -f scripts/deploy/Dockerfile -t bluejay:${version} .
`);
  return 0;
});

/** Returns the last release, or a placeholder before the first one. */
function lastTag(): string {
  const args = ['tag', '--list', 'v*.*.*', '--sort=-version:refname'];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')[0] || 'COMMIT';
}
