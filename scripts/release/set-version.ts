import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../program/operator-error.ts';

/** The files that state the version of the service and its clients, with the texts before it. The rest reads package.json. */
const places: readonly (readonly [path: string, before: RegExp])[] = [
  ['package.json', /"name": "bluejay",\n {2}"version": "/g],
  ['package-lock.json', /"name": "bluejay(?:-post|-post-cli)?",\n +"version": "/g],
  ['scripts/sdk/typescript/package.json', /"name": "bluejay-post",\n {2}"version": "/g],
  ['scripts/sdk/typescript/src/http/transport.ts', /export const version = '/g],
  ['scripts/sdk/cli/package.json', /"name": "bluejay-post-cli",\n {2}"version": "/g],
  ['scripts/sdk/python/pyproject.toml', /\nversion = "/g],
  ['scripts/sdk/python/src/bluejay_post/_calls.py', /\nVERSION = "/g],
  ['scripts/deploy/helm/bluejay/Chart.yaml', /\n(?:v|appV)ersion: /g],
  ['scripts/deploy/Dockerfile', / -t bluejay:/g],
  ['docker-compose.yml', /\bversion of the image: |\bbluejay:\$\{BLUEJAY_TAG:-/g],
];
const versionPattern = '\\d+\\.\\d+\\.\\d+';

/** Returns each stated version with its file. Throws if a file of the list states none. */
export function readVersions(root: string): { path: string; version: string }[] {
  return places.flatMap(([path, before]) => {
    const found = [...readFileSync(join(root, path), 'utf8').matchAll(patternOf(before))];
    if (found.length === 0) throw new Error(`${path} states no version.`);
    return found.map(([, , version = '']) => ({ path, version }));
  });
}

/** Throws OperatorError for a text that is not a version, and for a lower version than that of package.json. */
export function checkVersion(root: string, version: string): void {
  const [current] = readVersions(root);
  if (!new RegExp(`^${versionPattern}$`).test(version)) {
    throw new OperatorError(`A version has three numbers, such as ${current?.version}: npm run release -- VERSION`);
  }
  if (version.localeCompare(current?.version ?? '', 'en', { numeric: true }) < 0) {
    throw new OperatorError(`${version} is lower than the present version ${current?.version}.`);
  }
}

/** Writes the version to every place that states one. Throws as `checkVersion`. */
export function setVersion(root: string, version: string): void {
  checkVersion(root, version);
  for (const [path, before] of places) {
    const file = join(root, path);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(patternOf(before), `$1${version}`));
  }
}

/** Throws OperatorError unless the changelog has an entry for the version whose rows all say which action is required. */
export function checkChangelog(text: string, version: string): void {
  const sections = text.split(/^## /m);
  const lines = sections.find((section) => section.startsWith(`${version}\n`))?.split('\n') ?? [];
  const [head, , ...rows] = lines.filter((line) => line.startsWith('|'));
  const isComplete = rows.every((row) => /^\| [^|]+ \| [^|]+ \|$/.test(row));
  if (head === '| Change | Action required |' && rows.length > 0 && isComplete) return;
  throw new OperatorError(
    `scripts/deploy/changelog.md has no complete entry for ${version}. Write the heading "## ${version}" and a table with ` +
      'the columns "Change" and "Action required", "none" where nothing is required.',
  );
}

function patternOf(before: RegExp): RegExp {
  return new RegExp(`(${before.source})(${versionPattern})`, 'g');
}
