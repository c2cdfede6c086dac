import { existsSync } from 'node:fs';
import { runProgram } from '#scripts/program/run-program.ts';
import { makeItems, makePapers, writeBatchFolder } from './hot-folder-batch.ts';

// Writes a batch into the hot folder of its first argument, publishes it once the file of its second exists, and prints
// the outcome.
await runProgram(async () => {
  const [root = '', startFile = ''] = process.argv.slice(2);
  const items = makeItems(2);
  const folder = await writeBatchFolder(root, items);
  const papers = makePapers(items);
  process.stdout.write('waiting\n');
  while (!existsSync(startFile)) {
    // Busy loop: all competing processes must publish in the same millisecond.
  }
  process.stdout.write(`${await folder.publish(papers)}\n`);
  return 0;
});
