// Level: unit
import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requireSameFiles } from '#scripts/prove/compose/require-same-files.ts';
import { runCommand } from '#scripts/prove/run-command.ts';
import { describe, expect, guardMs, test, useTempFolders } from '../support/jest.ts';

describe('two archives of a layer', () => {
  const makeFolder = useTempFolders();

  /** Archives a folder with a program and a link, after this change to it. */
  async function anArchive(change: (folder: string) => Promise<void> = async () => {}, owner = '0'): Promise<string> {
    const root = await makeFolder();
    const folder = join(root, 'layer');
    await mkdir(folder, { mode: 0o755 });
    await writeFile(join(folder, 'program'), 'start');
    await chmod(join(folder, 'program'), 0o755);
    await symlink('program', join(folder, 'link'));
    await change(folder);
    const archive = join(root, 'layer.tar');
    const words = ['--owner', owner, '--group', '0', '--file', archive, '--directory', folder, '.'];
    await runCommand(['tar', '--create', ...words], { withinMs: guardMs });
    return archive;
  }

  test('with the same files are the same, also when these have other times', async () => {
    const later = await anArchive((folder) => utimes(join(folder, 'program'), 1, 1));
    await expect(requireSameFiles(await anArchive(), later, 'layer 1')).resolves.toBeUndefined();
  });

  test.each<[string, (folder: string) => Promise<void>]>([
    ['a file more', (folder) => writeFile(join(folder, 'more'), '')],
    ['another mode', (folder) => chmod(join(folder, 'program'), 0o711)],
    ['another size', (folder) => writeFile(join(folder, 'program'), 'started')],
    ['other bytes of the same size', (folder) => writeFile(join(folder, 'program'), 'stars')],
  ])('of which one has %s are told apart', async (_, change) => {
    await expect(requireSameFiles(await anArchive(), await anArchive(change), 'layer 1')).rejects.toThrow(
      /program|more/,
    );
  });

  test('of which one has another owner are told apart', async () => {
    const other = await anArchive(undefined, '5');
    await expect(requireSameFiles(await anArchive(), other, 'layer 1')).rejects.toThrow(/layer 1 other files: .* 5\/0/);
  });
});
