import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { bringSchemathesis } from '../../scripts/contract/bring-schemathesis.ts';
import { useTempFolders } from '../support/temp-folder.ts';

/** A `python3` that notes each call, makes an environment, and installs a program `st` into it unless told otherwise. */
const fakePython = (pip: string) => `#!/bin/sh
echo "$2" >> "\${0%/*}/calls"
case "$1 $2" in
  '-c '*) echo "$MINOR prefix 3.$MINOR.0" ;;
  '-m venv') /bin/mkdir -p "$4/bin" ;;
  '-m pip') ${pip} ;;
esac
`;
const installing = `python=$4; printf '#!/bin/sh\\n' > "\${python%/*}/st"; /bin/chmod +x "\${python%/*}/st"`;

describe('bringing schemathesis', () => {
  const makeFolder = useTempFolders();

  async function prepare({ pip = installing, minor = 11 } = {}) {
    const folder = await makeFolder();
    const reported: string[] = [];
    await writeFile(join(folder, 'python3'), fakePython(pip), { mode: 0o755 });
    const environment = { PATH: folder, XDG_CACHE_HOME: join(folder, 'cache'), MINOR: String(minor) };
    return {
      reported,
      environment,
      cacheDir: join(folder, 'cache/bluejay'),
      bring: () => bringSchemathesis({ environment, report: (line) => reported.push(line) }),
      calls: async () =>
        (await readFile(join(folder, 'calls'), 'utf8')).split('\n').filter((call) => /^\w+$/.test(call)),
    };
  }

  test('given an empty cache, when it is brought twice, then it is installed once, by hash, and said once', async () => {
    const { bring, calls, reported } = await prepare();
    const [first, second] = [await bring(), await bring()];
    expect(second).toBe(first);
    expect(await calls()).toEqual(['venv', 'pip']);
    expect(reported).toEqual(['Bringing schemathesis from PyPI (once) …']);
  });

  test('given an installation that was cut off, when it is brought again, then it is made anew', async () => {
    const { bring, calls, cacheDir } = await prepare();
    const program = await bring();
    const folder = join(program, '../..');
    expect(await readdir(cacheDir)).toHaveLength(1);
    // What a killed installation leaves: everything but the mark that it is whole.
    await writeFile(join(folder, 'left-over'), '');
    await rm(join(folder, 'complete'));
    await bring();
    expect(await calls()).toEqual(['venv', 'pip', 'venv', 'pip']);
    expect(await readdir(folder)).not.toContain('left-over');
  });

  test('given a pip that fails, when it is brought, then the error has its last words and what to install', async () => {
    const { bring } = await prepare({ pip: 'echo "ERROR: no route to the index" >&2; exit 1' });
    await expect(bring()).rejects.toThrow(/ERROR: no route to the index\nInstall Python 3\.11 or later with pip/);
  });

  test('given an older Python or none, when it is brought, then the error names what is needed', async () => {
    const { bring } = await prepare({ minor: 10 });
    await expect(bring()).rejects.toThrow('a newer Python than 3.10. Install Python 3.11 or later');
    const empty = await makeFolder();
    await mkdir(join(empty, 'bin'));
    const without = bringSchemathesis({ environment: { PATH: join(empty, 'bin') }, report: () => {} });
    await expect(without).rejects.toThrow('there is no python3 on PATH. Install Python 3.11 or later');
  });
});
