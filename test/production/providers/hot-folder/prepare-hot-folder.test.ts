// Level: unit
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPublished } from '#common/production/providers/hot-folder/batch-claims.ts';
import { HotFolderError } from '#common/production/providers/hot-folder/hot-folder-error.ts';
import { prepareHotFolder } from '#common/production/providers/hot-folder/prepare-hot-folder.ts';
import { openBatchFolder } from '#common/production/providers/hot-folder/write-batch-folder.ts';
import { describe, expect, test, useTempFolders } from '#test/support/jest.ts';
import { batchId, makeItems, makePapers, writeBatchFolder } from '#test/support/production/hot-folder-batch.ts';
import { onFileStep, systemError } from '#test/support/production/on-file-step.ts';

const makeFolder = useTempFolders();
const makeRoot = async () => join(await makeFolder(), 'deep/press');

describe('preparing a hot folder', () => {
  test('creates it with its folders, leaves nothing else there, and may be repeated', async () => {
    const root = await makeRoot();
    for (let round = 0; round < 2; round += 1) {
      await prepareHotFolder(root);
      expect((await readdir(root, { recursive: true })).sort()).toEqual(
        ['.incoming', '.published', 'out', 'results', 'results/done', 'results/rejected'].sort(),
      );
    }
  });

  test('keeps what is there', async () => {
    const root = await makeRoot();
    await prepareHotFolder(root);
    const items = makeItems(1);
    await (await writeBatchFolder(root, items)).publish(makePapers(items));
    await prepareHotFolder(root);
    expect(await findPublished(root, batchId)).toBe('published');
    expect(await readdir(join(root, 'out', batchId))).toContain('manifest.json');
  });

  test.each(['out', '.incoming', 'results'])('refuses a link or a file at %s', async (name) => {
    const [root, elsewhere] = [await makeRoot(), await makeFolder()];
    await prepareHotFolder(root);
    await rename(join(root, name), join(root, 'old'));
    await symlink(elsewhere, join(root, name));
    await expect(prepareHotFolder(root)).rejects.toThrow(/is not a folder, or a link to one\. Move it away/);
    await rm(join(root, name));
    await writeFile(join(root, name), '');
    await expect(prepareHotFolder(root)).rejects.toThrow(HotFolderError);
  });

  test('refuses a file in the place of the hot folder', async () => {
    const root = join(await makeFolder(), 'press');
    await writeFile(root, '');
    await expect(prepareHotFolder(root)).rejects.toThrow(HotFolderError);
  });

  test.each([
    ['EXDEV', 'rename', 'must be on one file system'],
    ['EACCES', 'mkdir', 'read and write permission'],
    ['EROFS', 'mkdir', 'Mount it for writing'],
    ['ENOSPC', 'mkdir', 'The disk is full'],
  ])('says what to do when the system answers %s to %s', async (code, syscall, advice) => {
    const root = await makeRoot();
    await prepareHotFolder(root);
    const fail = (step: string, path: string) => {
      if (step === syscall && path.includes('.probe-')) throw systemError(code, syscall);
    };
    const error = await onFileStep(fail, () => prepareHotFolder(root)).catch((reason) => reason);
    expect(error).toBeInstanceOf(HotFolderError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(advice) });
    expect(error.message).toContain(root);
    expect(await readdir(join(root, '.incoming'))).toEqual([]);
  });
});

describe('a hot folder that fails', () => {
  test('is an error for a batch, whose state is then unknown', async () => {
    const root = await makeRoot();
    for (const act of [() => openBatchFolder(root, batchId), () => findPublished(root, batchId)]) {
      await expect(act()).rejects.toThrow(/does not exist\. Mount or create the hot folder/);
    }
    await mkdir(root, { recursive: true });
    await expect(findPublished(root, batchId)).rejects.toThrow(HotFolderError);
  });

  test.each([
    ['ENOSPC', 'Free space there'],
    ['EDQUOT', 'The quota of the disk'],
    ['EACCES', 'Give the user'],
    ['EMFILE', 'Check the disk or the network share'],
  ])('answers %s to a batch with what to do, and the batch stays absent', async (code, advice) => {
    const root = await makeRoot();
    await prepareHotFolder(root);
    const items = makeItems(1);
    const folder = await writeBatchFolder(root, items);
    const fail = (step: string, path: string) => {
      if (step === 'open' && path.endsWith('manifest.json')) throw systemError(code, 'open');
    };
    const error = await onFileStep(fail, () => folder.publish(makePapers(items))).catch((reason) => reason);
    expect(error).toBeInstanceOf(HotFolderError);
    expect(error.message).toContain(advice);
    expect(error.message).toContain('manifest.json');
    expect(await findPublished(root, batchId)).toBe('absent');
  });

  test('is not blamed for a copy that cannot be read', async () => {
    const root = await makeRoot();
    await prepareHotFolder(root);
    const folder = await openBatchFolder(root, batchId);
    const [item] = makeItems(1);
    const failure = folder.addItem(item!, { path: join(root, 'gone.pdf') });
    await expect(failure).rejects.toThrow('The file of an item cannot be read.');
  });
});
