import { runProgram } from '#scripts/program/run-program.ts';
import { makeItems, makePapers, writeBatchFolder } from './hot-folder-batch.ts';

// Writes a batch into the hot folder of its first argument, publishes it at the time of its second (milliseconds), and
// prints the outcome.
await runProgram(async () => {
  const [root = '', publishAtMs = '0'] = process.argv.slice(2);
  const items = makeItems(2);
  const folder = await writeBatchFolder(root, items);
  const papers = makePapers(items);
  while (Date.now() < Number(publishAtMs)) {
    // Busy loop: all competing processes must publish in the same millisecond.
  }
  process.stdout.write(`${await folder.publish(papers)}\n`);
  return 0;
});
