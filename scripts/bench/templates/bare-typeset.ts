import { loadCompiler } from '#common/documents/typesetting/load-compiler.ts';
import { packLetter } from '#common/documents/typesetting/pack-letter.ts';
import { compilerFiles } from '#common/documents/typesetting/start-typesetter.ts';
import { makeLetters } from './bench-letters.ts';

/**
 * The floor of typesetting: compiles letters with Typst in this process, without fences and pipes, and prints the
 * milliseconds of each, with the start of the process. `node bare-typeset.ts <letters>`, at most as many as a process of
 * the product typesets.
 */
const [count = '200'] = process.argv.slice(2);
const letters = makeLetters(Number(count)).map(packLetter);
const compile = await loadCompiler(compilerFiles);
for (const letter of letters) compile(letter);
// Counted from the start of the process.
process.stdout.write(`${performance.now() / Number(count)}\n`);
