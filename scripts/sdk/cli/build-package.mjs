// Writes the published program to dist: one file with the client and commander in it. npm runs it before it packs the
// package. Within the repository the sources are used as they are.
import { copyFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dist = join(folder, 'dist');

rmSync(dist, { recursive: true, force: true });
buildSync({
  absWorkingDir: folder,
  entryPoints: ['main.ts'],
  outfile: 'dist/bluejay.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Not that of the repository, which a copy of this folder lacks.
  tsconfigRaw: {},
});
// Its licence asks for a copy of itself.
const commander = dirname(fileURLToPath(import.meta.resolve('commander')));
copyFileSync(join(commander, 'LICENSE'), join(dist, 'commander.LICENSE'));
