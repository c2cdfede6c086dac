// Level: push
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareHotFolder } from '#common/production/providers/hot-folder/prepare-hot-folder.ts';
import { type ResultFile, reject, settle, takeResults } from '#common/production/providers/hot-folder/read-results.ts';
import { describe, expect, test, testWithPrograms, useTempFolders } from '#test/support/jest.ts';
import { batchId, makeItems } from '#test/support/production/hot-folder-batch.ts';
import { onFileStep, systemError } from '#test/support/production/on-file-step.ts';

const makeFolder = useTempFolders();
const [itemId = '', otherId = ''] = makeItems(2).map((item) => item.itemId);
const printed = { schemaVersion: 1, batchId, result: 'printed' };

async function prepared(): Promise<string> {
  const root = join(await makeFolder(), 'press');
  await prepareHotFolder(root);
  return root;
}

async function take(root: string): Promise<ResultFile[]> {
  return await Array.fromAsync(takeResults(root));
}

async function takeOne(content: string | Uint8Array): Promise<ResultFile> {
  const root = await prepared();
  await writeFile(join(root, 'results/one.json'), content);
  const [file, ...more] = await take(root);
  expect(more).toEqual([]);
  return file!;
}

const ofItems = (items: unknown) => JSON.stringify({ schemaVersion: 1, batchId, items });
const failed = (reason: string) => ofItems([{ itemId, result: 'failed', reason }]);

describe('a result file', () => {
  test('says that a whole batch was printed', async () => {
    expect(await takeOne(JSON.stringify(printed))).toMatchObject({ results: printed });
  });

  test('says item by item what was printed, and why another was not', async () => {
    const items = [
      { itemId, result: 'printed' },
      { itemId: otherId, result: 'failed', reason: 'Paper jam: the sheets were torn.' },
    ];
    expect(await takeOne(ofItems(items))).toMatchObject({ results: { schemaVersion: 1, batchId, items } });
  });

  test('may begin with a byte order mark, and leave the version out', async () => {
    expect(await takeOne(`\ufeff${JSON.stringify(printed)}`)).toMatchObject({ results: printed });
    expect(await takeOne(JSON.stringify({ batchId, result: 'printed' }))).toMatchObject({ results: printed });
  });

  test('may have 20,000 items with reasons of 200 characters', async () => {
    const items = makeItems(20_000).map((item) => ({
      itemId: item.itemId,
      result: 'failed',
      reason: 'r'.repeat(200),
    }));
    expect(await takeOne(ofItems(items))).toMatchObject({ results: { items } });
    const problem = expect.stringContaining('items');
    expect(await takeOne(ofItems([...items, { itemId, result: 'printed' }]))).toMatchObject({ problem });
  });

  test.each([
    ['half of its JSON', JSON.stringify(printed).slice(0, 40), 'not complete JSON'],
    ['nothing', '', 'not complete JSON'],
    ['two objects', `${JSON.stringify(printed)}${JSON.stringify(printed)}`, 'not complete JSON'],
    ['UTF-16', Buffer.from(`\ufeff${JSON.stringify(printed)}`, 'utf16le'), 'not text in UTF-8'],
    ['deep brackets', '['.repeat(1_000_000), 'not complete JSON'],
    ['a list', JSON.stringify([printed]), 'expected object'],
    ['null', 'null', 'expected object'],
    ['another version', JSON.stringify({ ...printed, schemaVersion: 2 }), 'schemaVersion'],
    ['no batch', JSON.stringify({ result: 'printed' }), 'batchId'],
    ['no id of a batch', JSON.stringify({ ...printed, batchId: `../${batchId}` }), 'batchId'],
    ['an item as batch', JSON.stringify({ ...printed, batchId: itemId }), 'batchId'],
    ['a failed batch', JSON.stringify({ ...printed, result: 'failed' }), 'result'],
    ['an unknown field', JSON.stringify({ ...printed, note: 'x' }), 'note'],
    ['both forms', JSON.stringify({ ...printed, items: [{ itemId, result: 'printed' }] }), 'result'],
    ['no items', ofItems([]), 'items'],
    ['items that are no list', ofItems('all'), 'items'],
    ['an unknown result', ofItems([{ itemId, result: 'lost' }]), 'items.0.result'],
    ['a failure without reason', ofItems([{ itemId, result: 'failed' }]), 'items.0.reason'],
    ['a printed item with a reason', ofItems([{ itemId, result: 'printed', reason: 'x' }]), 'items.0'],
    ['a blank reason', failed(' '), 'items.0.reason'],
    ['a reason of 201 characters', failed('r'.repeat(201)), 'items.0.reason'],
    ['a control character in a reason', failed('torn\u0000sheet'), 'items.0.reason'],
    ['a line break in a reason', failed('torn\nsheet'), 'items.0.reason'],
    ['half a surrogate pair', failed('torn').replace('torn', '\\ud800'), 'items.0.reason'],
    ['an item twice', ofItems([1, 2].map(() => ({ itemId, result: 'printed' }))), `${itemId} is listed twice`],
    ['more than 8 MiB', Buffer.alloc(8 * 1024 * 1024 + 1, ' '), 'larger than 8388608 bytes'],
  ])('with %s is not taken, and the problem is said', async (_what, content, problem) => {
    expect(await takeOne(content)).toEqual({
      path: expect.stringMatching(/results\/one\.json$/),
      problem: expect.stringContaining(problem),
    });
  });

  test('with bytes that are no characters is not taken', async () => {
    const content = Buffer.concat([Buffer.from('{"batchId":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect(await takeOne(content)).toMatchObject({ problem: expect.stringContaining('UTF-8') });
  });
});

describe('the folder of results', () => {
  test('is read in the order of the names, complete files only', async () => {
    const root = await prepared();
    for (const name of ['b.json', 'a.json', 'c.json.tmp', '.hidden.json', 'd.txt']) {
      await writeFile(join(root, 'results', name), JSON.stringify(printed));
    }
    expect((await take(root)).map(({ path }) => path)).toEqual(['a', 'b'].map((n) => join(root, `results/${n}.json`)));
  });

  test('links and folders are not followed, whatever they lead to', async () => {
    const root = await prepared();
    const secret = join(await makeFolder(), 'secret.json');
    await writeFile(secret, JSON.stringify(printed));
    await symlink(secret, join(root, 'results/link.json'));
    await symlink(join(root, 'nowhere'), join(root, 'results/broken.json'));
    await mkdir(join(root, 'results/folder.json'));
    const files = await take(root);
    expect(files.map((file) => 'problem' in file && file.problem.includes('Only plain files'))).toEqual([
      true,
      true,
      true,
    ]);

    for (const file of files) await reject(file.path, 'problem' in file ? file.problem : '');
    expect(await take(root)).toEqual([]);
    expect(JSON.parse(await readFile(secret, 'utf8'))).toEqual(printed);
    const names = ['broken.json', 'folder.json', 'link.json'];
    expect((await readdir(join(root, 'results/rejected'))).sort()).toEqual(
      names.flatMap((n) => [n, `${n}.txt`]).sort(),
    );
  });

  testWithPrograms('mkfifo')('a named pipe does not stop the reading', async () => {
    const root = await prepared();
    execFileSync('mkfifo', [join(root, 'results/pipe.json')]);
    expect(await take(root)).toMatchObject([{ problem: expect.stringContaining('Only plain files') }]);
  });

  test('a file that may not be read does not stop the others', async () => {
    const root = await prepared();
    for (const name of ['a', 'b']) await writeFile(join(root, `results/${name}.json`), JSON.stringify(printed));
    const deny = (step: string, path: string) => {
      if (step === 'open' && path.endsWith('a.json')) throw systemError('EACCES', 'open');
    };
    const files = await onFileStep(deny, () => take(root));
    expect(files).toMatchObject([{ problem: expect.stringContaining('permission to read') }, { results: printed }]);
  });

  test('a file that is gone before it is read is left out', async () => {
    const root = await prepared();
    for (const name of ['a', 'b']) await writeFile(join(root, `results/${name}.json`), JSON.stringify(printed));
    const remove = async (step: string, path: string) => {
      if (step === 'open' && path.endsWith('a.json')) await rm(path);
    };
    expect(await onFileStep(remove, () => take(root))).toMatchObject([{ path: join(root, 'results/b.json') }]);
  });

  test('a hot folder that is not there is an error that says so', async () => {
    const root = join(await makeFolder(), 'unmounted');
    await expect(take(root)).rejects.toThrow(/unmounted.*does not exist\. Mount or create/);
  });
});

describe('a result file that is done with', () => {
  test('goes to done, beside others of its name', async () => {
    const root = await prepared();
    const path = join(root, 'results/one.json');
    for (let round = 1; round <= 3; round += 1) {
      await writeFile(path, `round ${round}`);
      await settle(path);
    }
    const done = join(root, 'results/done');
    expect((await readdir(done)).sort()).toEqual(['one.2.json', 'one.3.json', 'one.json']);
    expect(await readFile(join(done, 'one.3.json'), 'utf8')).toBe('round 3');
    expect(await take(root)).toEqual([]);
  });

  test('goes to rejected, with a text that says what is wrong and what to do', async () => {
    const root = await prepared();
    const path = join(root, 'results/one.json');
    await writeFile(path, 'half');
    await reject(path, 'The file is \u001b[31mnot complete JSON.');
    const rejected = join(root, 'results/rejected');
    expect(await readFile(join(rejected, 'one.json'), 'utf8')).toBe('half');
    const text = await readFile(join(rejected, 'one.json.txt'), 'utf8');
    expect(text).toContain('one.json was not taken');
    expect(text).toContain('The file is  [31mnot complete JSON.');
    expect(text).toContain('under a name that ends in .tmp, then rename it');
  });

  test('does not write through a link in the place of that text', async () => {
    const root = await prepared();
    const target = join(await makeFolder(), 'target');
    await writeFile(target, 'untouched');
    await symlink(target, join(root, 'results/rejected/one.json.txt'));
    await writeFile(join(root, 'results/one.json'), 'half');
    await reject(join(root, 'results/one.json'), 'Wrong.');
    expect(await readFile(target, 'utf8')).toBe('untouched');
    expect(await readFile(join(root, 'results/rejected/one.json.txt'), 'utf8')).toContain('Wrong.');
  });

  test('may have the longest name that a file can have', async () => {
    const root = await prepared();
    const path = join(root, 'results', `${'é'.repeat(125)}.json`);
    await writeFile(path, 'half');
    await reject(path, 'Wrong.');
    expect((await readdir(join(root, 'results/rejected'))).sort()).toEqual(
      ['.json', '.json.txt'].map((end) => `${'é'.repeat(40)}${end}`),
    );
  });

  test('may be gone already, but not for want of the folder done', async () => {
    const root = await prepared();
    const path = join(root, 'results/one.json');
    await settle(path);
    await reject(path, 'Wrong.');
    expect(await readdir(join(root, 'results/rejected'))).toEqual([]);
    await writeFile(path, 'here');
    await rename(join(root, 'results/done'), join(root, 'results/elsewhere'));
    await expect(settle(path)).rejects.toThrow(/results\/done\/one\.json failed with ENOENT/);
  });

  test('keeps its text when two processes put it aside at once', async () => {
    const root = await prepared();
    const path = join(root, 'results/one.json');
    await writeFile(path, 'half');
    const isFirst = { rename: true };
    await onFileStep(
      async (step) => {
        if (step !== 'rename' || !isFirst.rename) return;
        isFirst.rename = false;
        await reject(path, 'Wrong.');
      },
      () => reject(path, 'Wrong.'),
    );
    expect((await readdir(join(root, 'results/rejected'))).sort()).toEqual(['one.json', 'one.json.txt']);
  });
});
