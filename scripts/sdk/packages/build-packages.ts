// Builds what the API serves at /docs/clients: the packages of both clients and the command line. The image is built with
// it; without an image, run it after npm install. Argument: the folder, by default the one that the API reads. The same sources give the same bytes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildWheel } from './build-wheel.ts';

const sdk = join(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(sdk, '../../api/docs/clients'));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of ['typescript', 'cli']) {
  const cwd = join(sdk, name);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd, stdio: 'inherit' });
}
const { name, content } = await buildWheel(join(sdk, 'python'));
writeFileSync(join(folder, name), content);
