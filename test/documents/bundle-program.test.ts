// Level: ci
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BundleFile, nameOfBundleFile, readBundleFile } from '#common/documents/isolation/bundle-file.ts';
import { bundleProgram, printBundles, useBundleFile } from '#common/documents/isolation/bundle-program.ts';
import { prepareBundles } from '#common/documents/isolation/prepare-bundles.ts';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test, useTempFolders } from '../support/jest.ts';

const pathOf = (program: string) => fileURLToPath(new URL(`../../common/documents/${program}`, import.meta.url));
const programs = ['pdf/rebuild-pdf.child.ts', 'pdf/merge.child.ts', 'preview/draw-page.child.ts'].map(pathOf);

describe('the bundle of a child program', () => {
  beforeAll(() => useBundleFile(undefined));
  afterAll(() => useBundleFile(process.env.DOCUMENT_BUNDLES));

  test('programs asked for at once are each bundled, and once only', async () => {
    const [rebuild, again, merge, draw] = await Promise.all(
      [programs[0], ...programs].map((path = '') => bundleProgram(path)),
    );
    expect(again).toBe(rebuild);
    expect(new Set([rebuild, merge, draw]).size).toBe(3);
  });

  test('it contains no path that imports a file of the product', async () => {
    for (const path of programs) expect(await bundleProgram(path)).not.toMatch(/from ?["'](\.|#)/);
  });

  test('a program that cannot be bundled is an error with its cause, and is tried again', async () => {
    const missing = pathOf('pdf/missing.child.ts');
    await expect(bundleProgram(missing)).rejects.toThrow(/missing\.child\.ts/);
    await expect(bundleProgram(missing)).rejects.toThrow(/missing\.child\.ts/);
    await expect(bundleProgram(programs[0] ?? '')).resolves.toContain('part.pdf');
  });

  test('the bundling process has none of our environment, which a child could read', async () => {
    // With this variable Node does not start.
    process.env.NODE_OPTIONS = '--require=/missing';
    const source = bundleProgram(pathOf('images/image-to-page.child.ts')).finally(
      () => delete process.env.NODE_OPTIONS,
    );
    await expect(source).resolves.toContain('part.pdf');
  });
});

describe('the file of bundles that several processes share', () => {
  const newFolder = useTempFolders();
  // Its bundle is small.
  const image = pathOf('images/image-to-page.child.ts');
  afterEach(() => {
    jest.restoreAllMocks();
    useBundleFile(process.env.DOCUMENT_BUNDLES);
  });

  /** Writes a file under the SHA-256 of its content. */
  async function write(folder: string, file: Partial<BundleFile>): Promise<string> {
    const content = JSON.stringify({ inputs: [], inputHash: '', scripts: {}, ...file });
    const path = join(folder, nameOfBundleFile(content));
    await writeFile(path, content);
    return path;
  }

  test('it has the bundle of every program, is made once, and again when a source has changed', async () => {
    const folder = await newFolder();
    const stale = await write(folder, { inputs: ['common/clock.ts'], inputHash: 'of another content' });
    const { DOCUMENT_BUNDLES: path = '' } = await prepareBundles(folder);
    expect(await readdir(folder)).toEqual([basename(path)]);
    expect(path).not.toBe(stale);
    const { scripts = {}, inputs } = (await readBundleFile(path)) ?? {};
    expect(scripts[image]).toBe((await printBundles([image])).scripts[0]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...programs, pathOf('warm-program/warm.script.ts')]));
    expect(inputs).toContain('common/documents/images/image-to-page.child.ts');

    const { ino } = await stat(path);
    expect(await prepareBundles(folder)).toEqual({ DOCUMENT_BUNDLES: path });
    expect((await stat(path)).ino).toBe(ino);
  });

  test('a process takes its bundles from the file that it was started with', async () => {
    useBundleFile(await write(await newFolder(), { scripts: { [image]: 'of the file' } }));
    expect(await bundleProgram(image)).toBe('of the file');
    const missing = pathOf('pdf/missing.child.ts');
    await expect(bundleProgram(missing)).rejects.toThrow(/missing\.child\.ts/);
  });

  test('a file that was changed after it was made, or is gone, is refused, and the process bundles itself', async () => {
    const path = await write(await newFolder(), { scripts: { [image]: 'of the file' } });
    await writeFile(path, (await readFile(path, 'utf8')).replace('of the file', 'of an intruder'));
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    useBundleFile(path);
    expect(await bundleProgram(image)).toContain('part.pdf');
    expect(warned.mock.calls).toEqual([[expect.stringMatching(/^document bundles refused, /)]]);

    await rm(path);
    useBundleFile(path);
    expect(await bundleProgram(image)).toContain('part.pdf');
  });

  test('where no file can be written, a warning says why, and processes are handed none', async () => {
    const folder = join(await newFolder(), 'file');
    await writeFile(folder, '');
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    expect(await prepareBundles(folder)).toEqual({});
    expect(warned.mock.calls).toEqual([[expect.stringMatching(/bundles its document programs: .*file/)]]);
  });
});
