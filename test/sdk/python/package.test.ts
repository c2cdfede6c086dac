// Level: ci
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import service from '#package.json' with { type: 'json' };
import { describe, expect, openOnce, useTempFolders } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { blocksOf, readText, root } from '#test/support/project/markdown.ts';
import { installPythonSdk, runPython, testWithPython } from '#test/support/sdk/python.ts';

const sdk = join(root, 'scripts/sdk/python');

describe('the packed Python SDK', () => {
  const world = startWorld({ hasWorkers: true });
  const newFolder = useTempFolders();
  const installed = openOnce(async () => {
    const sdk = await installPythonSdk();
    return { ...sdk, close: sdk.remove };
  });

  testWithPython('the first letter of its README is delivered from the wheel, in at most 8 lines', async () => {
    expect(installed.wheel).toBe(`bluejay_post-${service.version}-py3-none-any.whl`);
    expect(await readdir(join(installed.modules, 'bluejay_post'))).toContain('py.typed');

    const folder = await newFolder();
    const text = blocksOf(readText('scripts/sdk/python/README.md')).find(({ language }) => language === 'python')?.text;
    const lines = (text ?? '').split('\n').filter((line) => line !== '');
    expect(lines.length).toBeLessThanOrEqual(8);
    await writeFile(join(folder, 'first_letter.py'), text ?? '');
    await copyFile(join(root, 'scripts/examples/letter.pdf'), join(folder, 'letter.pdf'));
    const { key } = await world.customer();
    const environment = { BLUEJAY_TEST_KEY: key, BLUEJAY_URL: world.url, PYTHONPATH: installed.modules };
    expect(await runPython('python', ['first_letter.py'], { cwd: folder, environment })).toBe('delivered\n');
  });

  testWithPython('its wheel has the files and metadata that its build backend writes', async () => {
    const [built, modules] = [await newFolder(), await newFolder()];
    await runPython('hatchling', ['build', '--target', 'wheel', '--directory', built], { cwd: sdk });
    expect(await readdir(built)).toEqual([installed.wheel]);
    await runPython('python', ['-m', 'zipfile', '--extract', join(built, installed.wheel), modules]);
    const filesOf = async (folder: string) => {
      const paths = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = paths.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      const read = async (path: string) => [path.slice(folder.length), await readFile(path, 'utf8')] as const;
      return new Map(await Promise.all(files.map(read)));
    };
    // The versions of the backend and of the format.
    const linesOf = (text = '') =>
      text.split('\n').filter((line) => !/^(?:Metadata-Version|Generator): |WHEEL,|METADATA,/.test(line));
    const [ours, theirs] = [await filesOf(installed.modules), await filesOf(modules)];
    expect([...ours.keys()].toSorted()).toEqual([...theirs.keys()].toSorted());
    for (const [path, text] of theirs)
      expect([path, linesOf(ours.get(path)).toSorted()]).toEqual([path, linesOf(text).toSorted()]);
  });

  testWithPython('its types are complete, and wrong calls are refused by mypy', async () => {
    const folder = await newFolder();
    const right =
      'from datetime import datetime\nfrom bluejay_post import Bluejay\nbluejay = Bluejay("k", "https://a.example")\n';
    const wrong = [
      'bluejay.mails.get(1)',
      'bluejay.mails.list({"status": "lost"})',
      'bluejay.mails.get("mj_1")["mailjobid"]',
      'bluejay.mails.send_file("a.pdf", {"recipients": [], "templateId": "tpl_1"})',
      'bluejay.quotes.create({"zone": "NATIONAL", "serviceType": "standard", "pages": 1, "colour": True})',
      'text: str = bluejay.mails.get("mj_1")["createdAt"]',
    ];
    const letter = '{"recipients": [], "sandboxClockId": "clk_1"}';
    const calls = ['status: str = bluejay.mails.get("mj_1")["status"]', `bluejay.mails.send_file("a.pdf", ${letter})`];
    calls.push('at: datetime = bluejay.mails.get("mj_1")["createdAt"]');
    for (const time of ['at', '"2026-03-02T08:00:00Z"'])
      calls.push(`bluejay.mails.change("mj_1", {"scheduledDropAt": ${time}})`);

    await writeFile(join(folder, 'right.py'), `${right}${calls.join('\n')}\n`);
    await writeFile(join(folder, 'wrong.py'), right + wrong.join('\n'));
    const check = [
      '--strict',
      '--no-warn-return-any',
      '--python-version',
      '3.10',
      '--cache-dir',
      join(folder, 'cache'),
    ];
    const environment = { MYPYPATH: join(sdk, 'src') };
    expect(await runPython('mypy', [...check, 'right.py', join(sdk, 'src')], { cwd: folder, environment })).toMatch(
      /^Success/,
    );
    const refused = await runPython('mypy', [...check, 'wrong.py'], { cwd: folder, environment }).catch(
      (error: { stdout: string }) => error.stdout,
    );
    for (const line of wrong.keys()) expect(refused).toContain(`wrong.py:${line + 4}: error`);
  });
});
