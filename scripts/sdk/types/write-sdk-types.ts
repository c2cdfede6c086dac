import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { runProgram } from '#scripts/program/run-program.ts';
import { generateTypeScript } from '../typescript/build/generate-types.ts';
import { describeMethods } from './describe-methods.ts';
import { findOutdatedPythonTypes, generatePython, generatePythonTypes } from './generate-python.ts';
import { slimDocument } from './slim-document.ts';

const root = join(import.meta.dirname, '../../..');
const maxDocumentBytes = 16 * 1024 * 1024;

/**
 * Writes the types of the SDKs from the OpenAPI document that the code describes, and the synchronous Python client from
 * the asynchronous one, and the tables of methods in both READMEs. With `--check` it writes nothing, needs no Python, and fails when a file differs.
 */
async function writeSdkTypes({ check }: { check: boolean }): Promise<number> {
  const print = [join(root, 'api/openapi/print-openapi.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, print, { maxBuffer: maxDocumentBytes });
  const document = slimDocument(JSON.parse(stdout));
  const outdatedTypes = await findOutdatedPythonTypes(document);
  const files = {
    ...(await generateTypeScript(document)),
    ...(await generatePython(document)),
    ...(await describeMethods(document)),
    ...(outdatedTypes.length > 0 && !check && (await generatePythonTypes(document))),
  };
  const outdated = check ? outdatedTypes.map((file) => relative(root, file)) : [];
  for (const [file, text] of Object.entries(files)) {
    if ((await readFile(file, 'utf8').catch(() => '')) === text) continue;
    outdated.push(relative(root, file));
    if (!check) await writeFile(file, text);
  }
  if (check && outdated.length > 0) {
    throw new OperatorError(
      `The API has changed, these files have not: ${outdated.join(', ')}. Run npm run generate and commit them.`,
    );
  }
  process.stdout.write(outdated.length === 0 ? 'Nothing has changed.\n' : `Written: ${outdated.join(', ')}\n`);
  return 0;
}

await runProgram(() => writeSdkTypes({ check: process.argv.includes('--check') }));
