// Level: unit
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import service from '#package.json' with { type: 'json' };
import { checkChangelog, readVersions, setVersion } from '#scripts/release/set-version.ts';
import { describe, expect, test, useTempFolders } from '../support/jest.ts';
import { readText, root } from '../support/project/markdown.ts';

const { version } = service;

describe('a release', () => {
  const newFolder = useTempFolders();

  test('the service, its clients, chart and image state one version', () => {
    expect(readVersions(root).filter((place) => place.version !== version)).toEqual([]);
    expect(JSON.parse(readText('test/api/openapi/openapi.snapshot.json')).info.version).toBe(version);
  });

  test('a version is set in every place, and a lower one or another word in none', async () => {
    const folder = await newFolder();
    const paths = [...new Set(readVersions(root).map(({ path }) => path))];
    for (const path of paths) cpSync(join(root, path), join(folder, path));
    const textsOf = (top: string) => paths.map((path) => readFileSync(join(top, path), 'utf8'));

    setVersion(folder, '9.10.0');
    expect(new Set(readVersions(folder).map((place) => place.version))).toEqual(new Set(['9.10.0']));
    for (const [index, text] of textsOf(folder).entries()) {
      const states = readVersions(folder).filter(({ path }) => path === paths[index]).length;
      expect(text.split('9.10.0')).toHaveLength(states + 1);
      expect(text.replaceAll('9.10.0', version)).toBe(textsOf(root)[index]);
    }
    const before = textsOf(folder);
    for (const refused of ['9.9.0', '9.10', 'v9.11.0', '']) expect(() => setVersion(folder, refused)).toThrow();
    expect(textsOf(folder)).toEqual(before);
  });

  test('the changelog says for each change of the version which action it requires', () => {
    checkChangelog(readText('scripts/deploy/changelog.md'), version);
    const entry = (rows: string) =>
      `# Changelog\n\n## 9.1.0\n\n| Change | Action required |\n|---|---|\n${rows}\n\n## 9.0.0\n`;
    expect(() => checkChangelog(entry('| a | none |\n| b | `migrate` |'), '9.1.0')).not.toThrow();
    for (const rows of ['', '| a |  |', '| a | none |\n| b |']) {
      expect(() => checkChangelog(entry(rows), '9.1.0')).toThrow('no complete entry for 9.1.0');
    }
    for (const other of ['9.0.0', '9.2.0']) expect(() => checkChangelog(entry('| a | none |'), other)).toThrow(other);
  });
});
