import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import loadTypst, { TypstCompilerBuilder } from '@myriaddreamin/typst-ts-web-compiler';
import type { PackedDocument } from './pack-letter.ts';
import { refusals } from './refusals.ts';

/** Paths of the compiler as WebAssembly, our layouts and their fonts. */
export type CompilerFiles = { wasmPath: string; layoutPaths: readonly string[]; fontPaths: readonly string[] };

/** A PDF and its number of pages, or why there is none. */
export type Compiled = { pdf: Uint8Array; pageCount: number } | { refusal: number };

/** Formats of `get_artifact`, and of its diagnostics: plain text. */
const pdfFormat = 1;
const plainDiagnostics = 2;

/**
 * Loads Typst with our layouts and fonts, and returns the function that typesets a letter or a paper. It has no access to files,
 * network or packages: what it needs is given here. Call it once per process.
 */
export async function loadCompiler({ wasmPath, layoutPaths, fontPaths }: CompilerFiles) {
  await loadTypst({ module_or_path: new WebAssembly.Module(readFileSync(wasmPath)) as never });
  const builder = new TypstCompilerBuilder();
  builder.set_dummy_access_model();
  for (const path of fontPaths) await builder.add_raw_font(readFileSync(path));
  const compiler = await builder.build();
  for (const path of layoutPaths) compiler.add_source(`/${basename(path)}`, readFileSync(path, 'utf8'));

  return ({ layout, json, files }: PackedDocument): Compiled => {
    const paths = Object.keys(files);
    for (const path of paths) compiler.map_shadow(path, Buffer.from(files[path] ?? '', 'base64'));
    const world = compiler.snapshot('/', `/${layout}.typ`, [['content', json]]);
    try {
      const { result, diagnostics } = world.get_artifact(pdfFormat, plainDiagnostics);
      if (result instanceof Uint8Array) return { pdf: result, pageCount: countPages(result) };
      // The layouts open no image but the logo. The parent logs the end of standard error.
      process.stderr.write(`${String(diagnostics).slice(0, 1_000)}\n`);
      const isLogo = paths.length > 0 && /image|decode|png|jpe?g/i.test(String(diagnostics));
      return { refusal: isLogo ? refusals.logo_unreadable : refusals.too_hard };
    } finally {
      world.free();
      for (const path of paths) compiler.unmap_shadow(path);
      // Frees what it keeps for later compilations. Without it, memory grows faster.
      compiler.reset();
    }
  };
}

/** The root of the page tree is the first object of the file. What comes before it is the version and a comment. */
const pageTree = /^%PDF-\d\.\d\n%.{4}\s+\d+ 0 obj\s*<<\s*\/Type \/Pages\s+\/Count (\d+)/s;

/**
 * Returns the number of pages, 0 when it is not found. Reads nothing behind the first object: texts of headings and bytes
 * of the logo are stored as they are, and may look like objects.
 */
function countPages(bytes: Uint8Array): number {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return Number(pageTree.exec(start)?.[1] ?? 0);
}
