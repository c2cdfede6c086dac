// Writes the published files to dist: JavaScript and declarations, as ES modules and as CommonJS. npm runs it before it
// packs the package. Within the repository the sources are used as they are.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = join(folder, 'dist');
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(dist, { recursive: true, force: true });
// In a CommonJS package imports are written as they are meant, so `verbatimModuleSyntax` does not apply.
const formats = {
  esm: [],
  cjs: ['--module', 'commonjs', '--moduleResolution', 'node10', '--verbatimModuleSyntax', 'false'],
};
for (const [format, options] of Object.entries(formats)) {
  const args = ['--project', folder, '--outDir', join(dist, format), ...options];
  execFileSync(process.execPath, [compiler, ...args], { stdio: 'inherit' });
}
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
