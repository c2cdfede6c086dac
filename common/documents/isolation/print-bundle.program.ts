import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const isResolving = Symbol('isResolving');

/** Replaces a module by one whose exports are empty objects: a call of one throws. */
function stub(...names: string[]) {
  return { contents: names.map((name) => `export const ${name} = {};`).join('\n') };
}

/** Tells esbuild what it cannot infer about the document packages. */
const resolvePackages: Plugin = {
  name: 'resolve-packages',
  setup({ onLoad, onResolve, resolve }) {
    // Compiled code, and 1.4 MB that only a HEIC photo needs. A script without a file must import them by their URLs.
    onResolve({ filter: /^(sharp|libheif-js\/wasm-bundle\.js)$/ }, ({ path }) => ({
      path: import.meta.resolve(path),
      external: true,
    }));
    // pdf-lib's modules have no side effects but inflating fonts, which no child uses.
    onResolve({ filter: /^(@cantoo\/pdf-lib$|\.)/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === isResolving || !/pdf-lib/.test(path + importer)) return undefined;
      const resolved = await resolve(path, { importer, resolveDir, kind, pluginData: isResolving });
      return { ...resolved, sideEffects: false };
    });
    // No child writes text or packs data with pdf-lib, which inflates fonts and builds tables when it is loaded.
    onLoad({ filter: /[\\/]standard-fonts[\\/]index\.js$/ }, () => stub('Font', 'FontNames', 'Encodings'));
    onResolve({ filter: /^fflate$/ }, ({ importer }) =>
      /pdf-lib/.test(importer) ? { path: 'fflate', namespace: 'stub' } : undefined,
    );
    onLoad({ filter: /^fflate$/, namespace: 'stub' }, () => stub('zlibSync', 'unzlibSync', 'inflateSync'));
    // pdfium loads its WebAssembly file relative to its own module.
    onLoad({ filter: /[\\/]@hyzyla[\\/]pdfium[\\/]dist[\\/]index\.esm\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)) };
    });
  },
};

/** Packages in CommonJS require Node's own modules. */
const requireForPackages = "const require = process.getBuiltinModule('node:module').createRequire('file:///');";

/**
 * Bundles programs of one kind in one pass, which reads the modules that they share once. A `*.script.ts` runs in a context
 * of its own, where only a script can.
 */
async function bundle(entryPoints: string[]) {
  const { outputFiles, metafile } = await build({
    entryPoints,
    bundle: true,
    // A script has none of Node's modules but those that its context defines.
    ...(entryPoints[0]?.endsWith('.script.ts')
      ? { platform: 'browser', format: 'iife', external: ['node:*'] }
      : { platform: 'node', format: 'esm', banner: { js: requireForPackages } }),
    target: `node${process.versions.node}`,
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [resolvePackages],
    metafile: true,
    absWorkingDir: root,
    outdir: root,
    write: false,
  });
  const textOf = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const scripts = Object.entries(metafile.outputs).map(([path, { entryPoint = '' }]) => {
    return [join(root, entryPoint), textOf.get(join(root, path)) ?? ''] as const;
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => !/(^|\/)node_modules\/|^stub:/.test(path));
  return { scripts, inputs };
}

/**
 * Bundles programs and prints them as JSON: `print-bundle.program.ts <entry> …`. `scripts` are in the order of the entries.
 * `inputs` are the files of this project that they contain, relative to it.
 */
const entryPaths = process.argv.slice(2);
const kinds = [true, false].map((isScript) => entryPaths.filter((path) => path.endsWith('.script.ts') === isScript));
const bundles = await Promise.all(kinds.filter(({ length }) => length > 0).map(bundle));
const scriptOf = new Map(bundles.flatMap(({ scripts }) => scripts));
const inputs = [...new Set(bundles.flatMap((each) => each.inputs))].sort();
process.stdout.write(JSON.stringify({ scripts: entryPaths.map((path) => scriptOf.get(path) ?? ''), inputs }));
