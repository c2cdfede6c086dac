import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a module imports at run time: `import type` and `export type` are erased. */
const importPattern =
  /(?:^|[;}\n])\s*(?:import|export)\s+(?!type\b)(?:[\w*{][^;'"]*?\sfrom\s*)?['"]([.#][^'"]+)['"]|\bimport\(\s*['"]([.#][^'"]+)['"]|\bnew URL\(\s*['"](\.[^'"]+)['"]/g;

/** Returns a function that returns all modules of this checkout that a module loads, itself included. */
export function createImportGraph(root: string): (path: string) => Set<string> {
  const imports = new Map<string, string[]>();

  function importsOf(path: string): string[] {
    const known = imports.get(path);
    if (known) return known;
    const found = readImports(join(root, path))
      .map((specifier) => (specifier.startsWith('#') ? specifier.slice(1) : join(dirname(path), specifier)))
      // A URL may name a folder, and the text of a program in a test may name what is elsewhere.
      .filter((each) => statSync(join(root, each), { throwIfNoEntry: false })?.isFile());
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
  if (!/\.(?:ts|mjs|cjs)$/.test(file)) return [];
  const matches = readFileSync(file, 'utf8').matchAll(importPattern);
  return [...matches].map(([, ...specifiers]) => specifiers.find((each) => each !== undefined) ?? '');
}
