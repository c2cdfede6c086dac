import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../program/run-program.ts';
import { pressSchemaFolder, printPressSchemas } from './press-schemas.ts';

const folder = join(import.meta.dirname, '../..', pressSchemaFolder);

// Writes the JSON Schemas of the hot folder to the files that are published. A test compares them.
await runProgram(async () => {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(printPressSchemas())) await writeFile(join(folder, name), text);
  process.stdout.write('Written. Review the difference with git diff: print shops rely on these formats.\n');
  return 0;
});
