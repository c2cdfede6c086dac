import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a module imports at run time: `import type` and `export type` are erased. */
const importPattern =
  /(?:^|[;}\n])\s*(?:import|export)\s+(?!type\b)(?:[\w*{][^;'"]*?\sfrom\s*)?['"]([.#][^'"]+)['"]|\bimport\(\s*['"]([.#][^'"]+)['"]|\bnew URL\(\s*['"](\.[^'"]+)['"]/g;

/**
 * Returns a function that returns all paths of this checkout that a module loads, itself included. A path may lead nowhere:
 * the module was deleted, the URL names a folder, or the import stands in the text of a program in a test.
 */
export function createImportGraph(root: string): (path: string) => Set<string> {
  const imports = new Map<string, string[]>();

  function importsOf(path: string): string[] {
    const known = imports.get(path);
    if (known) return known;
    const found = readImports(join(root, path)).map((specifier) =>
      specifier.startsWith('#') ? specifier.slice(1) : join(dirname(path), specifier),
    );
    imports.set(path, found);
    return found;
  }

  return (path) => {
    const closure = new Set([path]);
    // A set is walked in the order of insertion, up to what is inserted on the way.
    for (const each of closure) for (const imported of importsOf(each)) closure.add(imported);
    return closure;
  };
}

function readImports(file: string): string[] {
  if (!/\.(?:ts|mjs|cjs)$/.test(file) || !isFile(file)) return [];
  const matches = readFileSync(file, 'utf8').matchAll(importPattern);
  return [...matches].map(([, ...specifiers]) => specifiers.find((each) => each !== undefined) ?? '');
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
