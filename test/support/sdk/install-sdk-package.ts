import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const source = join(root, 'scripts/sdk/typescript');

export type SdkPackage = Awaited<ReturnType<typeof installSdkPackage>>;

/**
 * Packs the TypeScript SDK as for its publication and installs the tarball into an empty folder, without network. It is
 * built from a copy, so that a test leaves nothing in the source tree.
 */
export async function installSdkPackage() {
  const top = await mkdtemp(join(tmpdir(), 'bluejay-post-'));
  const [copy, folder] = [join(top, 'copy'), join(top, 'app')];
  const filter = (path: string) => !['node_modules', 'dist'].includes(basename(path));
  await cp(source, copy, { recursive: true, filter });
  // The compiler of the workspace, and below it the types of Node.js.
  await symlink(join(source, 'node_modules'), join(copy, 'node_modules'));
  await symlink(join(root, 'node_modules'), join(top, 'node_modules'));
  await run('npm', ['pack', '--pack-destination', top], { cwd: copy });
  const tarball = (await readdir(top)).find((name) => name.endsWith('.tgz')) ?? '';
  await rm(join(top, 'node_modules'));
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--offline'];
  await run('npm', ['install', ...options, join(top, tarball)], { cwd: folder });
  const sdk = join(folder, 'node_modules/bluejay-post');
  const names = await readdir(sdk, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return {
    folder,
    /** The installed package. */
    sdk,
    /** The files of the package, relative to it. */
    files: files.map(({ parentPath, name }) => join(parentPath, name).slice(sdk.length + 1)),
    compiler: join(source, 'node_modules/typescript/bin/tsc'),
    remove: () => rm(top, { recursive: true, force: true, maxRetries: 5 }),
  };
}
