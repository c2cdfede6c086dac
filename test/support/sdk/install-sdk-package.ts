import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const source = join(root, 'scripts/sdk/typescript');
const packed = ['typescript', 'cli'];

export type SdkPackage = Awaited<ReturnType<typeof installSdkPackage>>;

/**
 * Builds the packages of the clients as the image does, and installs those of npm into an empty folder, without network.
 * They are built from a copy, so that a test leaves nothing in the source tree.
 */
export async function installSdkPackage() {
  const top = await mkdtemp(join(tmpdir(), 'bluejay-post-'));
  const [clone, packages, folder] = [join(top, 'clone'), join(top, 'packages'), join(top, 'app')];
  const filter = (path: string) => !['node_modules', 'dist'].includes(basename(path));
  for (const path of ['package.json', 'scripts/sdk', 'scripts/program']) {
    await cp(join(root, path), join(clone, path), { recursive: true, filter });
  }
  for (const name of packed) await linkDependencies(join(clone, 'scripts/sdk', name));
  await run(process.execPath, ['scripts/sdk/packages/build-packages.ts', packages], { cwd: clone });
  const tarballs = (await readdir(packages)).filter((name) => name.endsWith('.tgz'));
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--offline'];
  await run('npm', ['install', ...options, ...tarballs.map((name) => join(packages, name))], { cwd: folder });
  const [sdk, cli] = [join(folder, 'node_modules/bluejay-post'), join(folder, 'node_modules/bluejay-post-cli')];
  return {
    folder,
    /** A copy of what the packages are built from. */
    clone,
    /** The folder of the built packages. */
    packages,
    /** The installed client. */
    sdk,
    /** The installed command line. */
    cli,
    compiler: join(source, 'node_modules/typescript/bin/tsc'),
    remove: () => rm(top, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Links the development dependencies that the package declares, which `npm install` would find in a copy of its folder. */
async function linkDependencies(copy: string): Promise<void> {
  const { devDependencies } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8'));
  for (const name of Object.keys(devDependencies)) {
    const link = join(copy, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    const found = [source, root].map((place) => join(place, 'node_modules', name)).find(existsSync);
    await symlink(found ?? '', link);
  }
}
