// Level: unit
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from '../support/jest.ts';

const root = join(import.meta.dirname, '../..');
const maxTestFiles = 15;
const maxSupportFiles = 12;

/** Returns the paths of all TypeScript files under a folder, relative to it. */
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

const routes = filesIn('api/routes').filter((path) => path !== 'index.ts');

test.each(routes)('the route %s has a test file at the same place in test/api', (route) => {
  expect(filesIn('test/api')).toContain(route.replace('.ts', '.test.ts'));
});

test('every test file in a folder of routes begins with the name of one of its routes', () => {
  const folders = new Set(routes.map(dirname));
  const files = filesIn('test/api').filter((path) => folders.has(dirname(path)));
  const isNamed = (file: string) =>
    routes.some((route) => {
      const [name, start] = [basename(file, '.test.ts'), basename(route, '.ts')];
      return dirname(route) === dirname(file) && (name === start || name.startsWith(`${start}-`));
    });
  expect(files.filter((file) => !isNamed(file))).toEqual([]);
});

test('a folder of tests has at most 15 files, a folder of test support at most 12', () => {
  const sizes = Object.entries(Object.groupBy(filesIn('test'), dirname)).map(([folder, files = []]) => ({
    folder,
    count: files.length,
    max: folder.startsWith('support') ? maxSupportFiles : maxTestFiles,
  }));
  expect(sizes.filter(({ count, max }) => count > max)).toEqual([]);
});
