import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeZip } from '#scripts/program/make-zip.ts';

const tag = 'py3-none-any';

/**
 * Builds the wheel of a Python project without Python, with the files and metadata that its build backend writes (PEP 427).
 * The same sources give the same bytes. Reads of `pyproject.toml` only what ours has: one text or list of texts per line.
 */
export async function buildWheel(project: string): Promise<{ name: string; content: Buffer }> {
  const settings = await readFile(join(project, 'pyproject.toml'), 'utf8');
  const valuesOf = (key: string) => {
    const [, value = ''] = new RegExp(`^${key} = (.+)$`, 'm').exec(settings) ?? [];
    const texts = [...value.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
    if (texts.length === 0) throw new Error(`pyproject.toml has no ${key}.`);
    return texts;
  };
  const [name = '', version] = [...valuesOf('name'), ...valuesOf('version')];
  const distribution = `${name.replaceAll('-', '_')}-${version}`;
  const metadata = [
    ...['Metadata-Version: 2.4', `Name: ${name}`, `Version: ${version}`, `Summary: ${valuesOf('description')}`],
    ...[`License-Expression: ${valuesOf('license')}`, `Classifier: ${valuesOf('classifiers')}`],
    `Requires-Python: ${valuesOf('requires-python')}`,
    ...valuesOf('dependencies').map((dependency) => `Requires-Dist: ${dependency}`),
    ...['Description-Content-Type: text/markdown', '', await readFile(join(project, 'README.md'), 'utf8')],
  ];
  const about = ['Wheel-Version: 1.0', 'Generator: bluejay', 'Root-Is-Purelib: true', `Tag: ${tag}`, ''];
  const files: Record<string, string> = {
    ...(await readModules(join(project, 'src'))),
    [`${distribution}.dist-info/METADATA`]: metadata.join('\n'),
    [`${distribution}.dist-info/WHEEL`]: about.join('\n'),
  };
  const record = `${distribution}.dist-info/RECORD`;
  const lines = [...Object.entries(files).map(([path, text]) => recordOf(path, text)), `${record},,`];
  files[record] = `${lines.join('\n')}\n`;
  return { name: `${distribution}-${tag}.whl`, content: makeZip(files) };
}

async function readModules(source: string): Promise<Record<string, string>> {
  const paths = (await readdir(source, { recursive: true })).filter((path) => /\.(?:py|typed)$/.test(path)).sort();
  const read = async (path: string) => [path, await readFile(join(source, path), 'utf8')] as const;
  return Object.fromEntries(await Promise.all(paths.map(read)));
}

function recordOf(path: string, text: string): string {
  const digest = createHash('sha256').update(text).digest('base64url');
  return `${path},sha256=${digest},${Buffer.byteLength(text)}`;
}
