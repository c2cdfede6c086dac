import { operations, readRequest, type Written, writeAnswer } from '../warm/warm-frames.ts';
import { loadCompiler } from './load-compiler.ts';
import type { PackedDocument } from './pack-letter.ts';

/**
 * Typesets one letter after the other: `typeset.child.ts <compiler.wasm> <layout.typ>… <font>…`. An error outside of a letter
 * ends the process.
 */
const [, , wasmPath = '', ...paths] = process.argv;
const isLayout = (path: string) => path.endsWith('.typ');
const layoutPaths = paths.filter(isLayout);
const fontPaths = paths.filter((path) => !isLayout(path));
const nothing = new Uint8Array();

/** The glue of the compiler builds functions of strings for what we do not give it: packages. They fail when called. */
globalThis.Function = function refuseCode() {
  return () => {
    throw new Error('The typesetting has no access to packages.');
  };
} as unknown as FunctionConstructor;

let compile: Awaited<ReturnType<typeof loadCompiler>> | undefined;

async function start(): Promise<Written> {
  compile = await loadCompiler({ wasmPath, layoutPaths, fontPaths });
  return { outcome: 'done', value: 0, bytes: nothing };
}

function typeset(request: ArrayBuffer): Written {
  if (!compile) throw new Error('The compiler was not started.');
  const packed: PackedDocument = JSON.parse(Buffer.from(request).toString('utf8'));
  const compiled = compile(packed);
  if ('refusal' in compiled) return { outcome: 'refused', value: compiled.refusal, bytes: nothing };
  return { outcome: 'done', value: compiled.pageCount, bytes: compiled.pdf };
}

for (let request = readRequest(); request; request = readRequest()) {
  const { ticket, operation, file } = request;
  writeAnswer(ticket, operation === operations.startTypesetting ? await start() : typeset(file));
}
