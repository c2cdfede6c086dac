// Level: unit
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { discardStale, findPublished } from '#common/production/providers/hot-folder/batch-claims.ts';
import { prepareHotFolder } from '#common/production/providers/hot-folder/prepare-hot-folder.ts';
import { openBatchFolder } from '#common/production/providers/hot-folder/write-batch-folder.ts';
import { byLevel, describe, expect, test, useTempFolders } from '#test/support/jest.ts';
import { heldBytes } from '#test/support/processes/held-bytes.ts';
import {
  batchId,
  contentOf,
  makeItems,
  makePapers,
  writeBatchFolder,
} from '#test/support/production/hot-folder-batch.ts';

const makeFolder = useTempFolders();

async function prepared(): Promise<string> {
  const root = join(await makeFolder(), 'press');
  await prepareHotFolder(root);
  return root;
}

const contentsOf = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

describe('a batch in the hot folder', () => {
  test('appears in out with its items, manifest and papers, and nothing else', async () => {
    const root = await prepared();
    const items = makeItems(3);
    const folder = await writeBatchFolder(root, items);
    expect(await contentsOf(join(root, 'out'))).toEqual([]);
    expect(await folder.publish(makePapers(items))).toBe('published');

    const files = items.map(({ itemId }, i) => `items/0000${i + 1}-${itemId}.pdf`);
    const published = join(root, 'out', batchId);
    const papers = ['deposit-slip.pdf', 'items', 'job-ticket.pdf', 'manifest.json'];
    expect(await contentsOf(published)).toEqual([...papers, ...files].sort());
    expect(await contentsOf(join(root, '.incoming'))).toEqual([]);
    const manifest = JSON.parse(await readFile(join(published, 'manifest.json'), 'utf8'));
    expect(manifest.files.map(({ file }: { file: string }) => file)).toEqual(files);
    for (const { file, sha256, sizeBytes } of manifest.files) {
      const bytes = await readFile(join(published, file));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
      expect(bytes.length).toBe(sizeBytes);
    }
    expect(await findPublished(root, batchId)).toBe('published');
  });

  test('takes items from files on the disk too', async () => {
    const root = await prepared();
    const [item] = makeItems(1) as [ReturnType<typeof makeItems>[number]];
    const path = join(await makeFolder(), 'copy.pdf');
    await writeFile(path, contentOf(1));
    const folder = await openBatchFolder(root, batchId);
    await folder.addItem(item, { path });
    expect(await folder.publish(makePapers([item]))).toBe('published');
    const [name = ''] = await readdir(join(root, 'out', batchId, 'items'));
    expect(await readFile(join(root, 'out', batchId, 'items', name))).toEqual(contentOf(1));
  });

  test('is readable for the group of the service, not for others, as far as the umask allows', async () => {
    const root = await prepared();
    const items = makeItems(1);
    await (await writeBatchFolder(root, items)).publish(makePapers(items));
    const modes = [
      ['', 0o770],
      ['items', 0o770],
      ['manifest.json', 0o660],
    ] as const;
    for (const [path, allowed] of modes) {
      const { mode } = await stat(join(root, 'out', batchId, path));
      expect(mode & 0o777).toBe(allowed & ~process.umask());
    }
  });

  test('cannot be published twice, not even after the print system took it away', async () => {
    const root = await prepared();
    const items = makeItems(1);
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => writeBatchFolder(root, items)));
    expect(await first?.publish(makePapers(items))).toBe('published');
    expect(await second?.publish(makePapers(items))).toBe('already_there');

    await rename(join(root, 'out', batchId), join(root, 'out', 'taken'));
    expect(await findPublished(root, batchId)).toBe('published');
    expect(await third?.publish(makePapers(items))).toBe('already_there');
    for (const folder of [first, second, third]) await folder?.discard();
    await discardStale(root, batchId);
    expect(await findPublished(root, batchId)).toBe('published');
    expect(await contentsOf(join(root, '.incoming'))).toEqual([]);
    expect(await readdir(join(root, 'out'))).toEqual(['taken']);
  });

  test('does not replace a folder or a file of its name in out', async () => {
    const items = makeItems(1);
    const makers = [
      (path: string) => mkdir(path),
      async (path: string) => {
        await mkdir(path);
        await writeFile(join(path, 'note'), 'mine');
      },
      (path: string) => writeFile(path, 'mine'),
    ];
    for (const make of makers) {
      const root = await prepared();
      const folder = await writeBatchFolder(root, items);
      await make(join(root, 'out', batchId));
      const before = await contentsOf(join(root, 'out'));
      expect(await folder.publish(makePapers(items))).toBe('already_there');
      expect(await contentsOf(join(root, 'out'))).toEqual(before);
    }
  });

  test('is absent while it is written and after it was discarded', async () => {
    const root = await prepared();
    expect(await findPublished(root, batchId)).toBe('absent');
    const folder = await writeBatchFolder(root, makeItems(2));
    expect(await findPublished(root, batchId)).toBe('absent');
    await folder.discard();
    expect(await findPublished(root, batchId)).toBe('absent');
    expect(await contentsOf(join(root, '.incoming'))).toEqual([]);
  });

  test('refuses items with another content, added twice, or not in the manifest', async () => {
    const root = await prepared();
    const items = makeItems(3);
    const [one, two, three] = items as [(typeof items)[0], (typeof items)[0], (typeof items)[0]];
    const folder = await openBatchFolder(root, batchId);
    await folder.addItem(one, { bytes: contentOf(1) });
    await expect(folder.addItem(one, { bytes: contentOf(1) })).rejects.toThrow('is added twice');
    await expect(folder.publish(makePapers([one, two]))).rejects.toThrow('does not list the 1 items');
    await folder.addItem(two, { bytes: contentOf(2) });
    await expect(folder.publish(makePapers([one]))).rejects.toThrow('does not list the 2 items');
    await expect(folder.addItem(three, { bytes: Buffer.from('another') })).rejects.toThrow('is not the one');
    expect(await findPublished(root, batchId)).toBe('absent');
  });

  test.each(['', '.', '..', '../out', 'bat_', `${batchId}/..`, `${batchId}x`, batchId.toUpperCase()])(
    'with the id "%s" is refused',
    async (id) => {
      const root = await prepared();
      await expect(openBatchFolder(root, id)).rejects.toThrow(RangeError);
      await expect(findPublished(root, id)).rejects.toThrow(RangeError);
      await expect(discardStale(root, id)).rejects.toThrow(RangeError);
    },
  );

  test.each(['mi_../../../x', '', 'mi_'])('an item with the id "%s" is refused', async (itemId) => {
    const folder = await openBatchFolder(await prepared(), batchId);
    const [item] = makeItems(1);
    await expect(folder.addItem({ ...item!, itemId }, { bytes: contentOf(1) })).rejects.toThrow(RangeError);
  });

  test('stale folders of other batches stay', async () => {
    const root = await prepared();
    const other = `${batchId.slice(0, -1)}z`;
    await writeBatchFolder(root, makeItems(1));
    await openBatchFolder(root, other);
    await mkdir(join(root, '.incoming', 'not ours'));
    await discardStale(root, batchId);
    const [kept, mine, ...more] = (await readdir(join(root, '.incoming'))).sort();
    expect([kept?.slice(0, -17), mine, more]).toEqual([other, 'not ours', []]);
  });

  const itemCount = byLevel({ quick: 1_000, full: 10_000 });

  test(`${itemCount} items are written with no file left open and no content held`, async () => {
    const root = await prepared();
    const contentAt = (sequence: number) => Buffer.alloc(10_000, `copy ${sequence} `);
    const items = makeItems(itemCount).map((item) => {
      const content = contentAt(item.sequence);
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { ...item, sizeBytes: content.length, sha256 };
    });
    const papers = makePapers(items);
    const openFiles = async () => (await readdir('/dev/fd')).length;
    const [openAtStart, bytesAtStart] = [await openFiles(), heldBytes()];
    const folder = await openBatchFolder(root, batchId);
    const waiting = items.values();
    const laneCount = 16;
    let [written, mostOpen, mostBytes] = [0, 0, 0];
    const lane = async () => {
      for (const item of waiting) {
        await folder.addItem(item, { bytes: contentAt(item.sequence) });
        written += 1;
        if (written % 500 !== 0) continue;
        mostBytes = Math.max(mostBytes, heldBytes() - bytesAtStart);
        mostOpen = Math.max(mostOpen, await openFiles());
      }
    };
    await Promise.all(Array.from({ length: laneCount }, lane));
    expect(mostOpen).toBeLessThan(openAtStart + 2 * laneCount);
    // A lane holds what it writes, and nothing that it has written.
    expect(mostBytes).toBeLessThan(4 * laneCount * contentAt(1).length);
    expect(await folder.publish(papers)).toBe('published');
    expect(await openFiles()).toBeLessThan(openAtStart + laneCount);
    expect(await readdir(join(root, 'out', batchId, 'items'))).toHaveLength(itemCount);
  });
});
