import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const isResolving = Symbol('isResolving');

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
    // pdfium loads its WebAssembly file relative to its own module.
    onLoad({ filter: /[\\/]@hyzyla[\\/]pdfium[\\/]dist[\\/]index\.esm\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)) };
    });
  },
};

/** Bundles a program and prints the script: `print-bundle.program.ts <entry>`. */
const [, , entryPath = ''] = process.argv;
const { outputFiles } = await build({
  entryPoints: [entryPath],
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: `node${process.versions.node}`,
  minifySyntax: true,
  minifyWhitespace: true,
  // Packages in CommonJS require Node's own modules.
  banner: { js: "const require = process.getBuiltinModule('node:module').createRequire('file:///');" },
  plugins: [resolvePackages],
  write: false,
});
process.stdout.write(outputFiles[0]?.text ?? '');
