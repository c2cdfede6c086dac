// Level: unit
import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ensurePrivateFolder, makeProcessFolder, removeDeadFolders } from '#common/platform/process/process-folder.ts';
import { describe, expect, test, testWith, useTempFolders } from '#test/support/jest.ts';

describe('the temporary folder of a process', () => {
  const newFolder = useTempFolders();

  test('a folder stays while its process lives, and is removed with its contents on close', async () => {
    const parent = await newFolder();
    const folders = [await makeProcessFolder(parent), await makeProcessFolder(parent)];
    for (const { path } of folders) await writeFile(join(path, 'source-0'), 'a letter');
    expect(await removeDeadFolders(parent)).toBe(0);
    for (const { path } of folders) expect(await readdir(path)).toEqual(['source-0']);
    await folders[0]?.close();
    expect(await removeDeadFolders(parent)).toBe(0);
    expect(await readdir(folders[1]?.path ?? '')).toEqual(['source-0']);
    await folders[1]?.close();
    expect(await readdir(parent)).toEqual([]);
  });

  test('the folder of a dead process is removed even if its process id is in use again', async () => {
    const parent = await newFolder();
    const living = await makeProcessFolder(parent);
    for (const name of [`${process.pid}-00000000`, '1-00000000']) {
      await mkdir(join(parent, name, 'render-a'), { recursive: true });
      await writeFile(join(parent, name, 'render-a', 'source-0'), 'a letter');
    }
    expect(await removeDeadFolders(parent)).toBe(2);
    expect((await readdir(parent)).filter((name) => !name.endsWith('.alive'))).toEqual([living.path.split('/').at(-1)]);
    await living.close();
  });

  test('a folder is created only where its socket can listen too', async () => {
    const root = await newFolder();
    const sample = await makeProcessFolder(root);
    const nameBytes = Buffer.byteLength(sample.path) - Buffer.byteLength(root);
    await sample.close();
    const outcomes: string[] = [];
    // The path of a socket has at most 103 (macOS) to 108 bytes.
    for (let bytes = 96; bytes < 106; bytes += 1) {
      const parent = join(root, 'n'.repeat(bytes - nameBytes - Buffer.byteLength(root) - 1));
      await mkdir(parent);
      const folder = await makeProcessFolder(parent).catch((error: Error) => error.message);
      if (typeof folder === 'string') {
        outcomes.push(folder.replace(/.*(?=Set TMPDIR)/, ''));
        expect(await readdir(parent)).toEqual([]);
      } else {
        outcomes.push(await ask(`${folder.path}.alive`));
        await folder.close();
      }
    }
    const refusal = 'Set TMPDIR to a folder on a local disk, with a path of at most 60 bytes.';
    expect(new Set(outcomes)).toEqual(new Set(['lives', refusal]));
  });

  test('concurrent starts and clean-ups never remove the folder of a living process', async () => {
    const parent = await newFolder();
    const begin = async () => {
      const folder = await makeProcessFolder(parent);
      await removeDeadFolders(parent);
      return folder;
    };
    const folders = await Promise.all(Array.from({ length: 20 }, begin));
    for (const { path } of folders) expect((await stat(path)).mode & 0o777).toBe(0o700);
    await Promise.all(folders.map((folder) => folder.close()));
  });

  test('a symbolic link is refused, and a folder open to other users is made private', async () => {
    const root = await newFolder();
    await mkdir(join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere'), join(root, 'link'));
    await expect(ensurePrivateFolder(join(root, 'link'))).rejects.toThrow(/not a folder of this user.*TMPDIR/);
    await writeFile(join(root, 'file'), '');
    await expect(ensurePrivateFolder(join(root, 'file'))).rejects.toThrow(/not a folder of this user/);
    await mkdir(join(root, 'open'));
    await chmod(join(root, 'open'), 0o777);
    await ensurePrivateFolder(join(root, 'open'));
    expect((await stat(join(root, 'open'))).mode & 0o777).toBe(0o700);
  });

  const testAsRoot = testWith('root', process.getuid?.() === 0);
  testAsRoot('the folder of another user is refused', async () => {
    const root = await newFolder();
    await mkdir(join(root, 'theirs'));
    const { chown } = await import('node:fs/promises');
    await chown(join(root, 'theirs'), 12_345, 12_345);
    await expect(ensurePrivateFolder(join(root, 'theirs'))).rejects.toThrow(/not a folder of this user/);
  });
});

function ask(path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve('lives');
    });
    socket.once('error', ({ message }) => resolve(message));
  });
}
