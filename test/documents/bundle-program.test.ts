import { fileURLToPath } from 'node:url';
import { bundleProgram } from '#common/documents/isolation/bundle-program.ts';
import { describe, expect, test } from '../support/jest.ts';

const pathOf = (program: string) => fileURLToPath(new URL(`../../common/documents/${program}`, import.meta.url));
const programs = ['pdf/rebuild-pdf.child.ts', 'pdf/merge.child.ts', 'preview/draw-page.child.ts'].map(pathOf);

describe('the bundle of a child program', () => {
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
