import { OperatorError } from '#scripts/program/operator-error.ts';
import { runProgram } from '#scripts/program/run-program.ts';
import { sendLetterToPosted, uploadLetter } from '#scripts/prove/send-letter.ts';
import { loadApi } from './load-api.ts';

// A customer of the installation, in a pod of the cluster: `letter` sends one until it is posted and prints its id.
// `load` sends requests until its standard input ends, and prints the counts as JSON. The key is in BLUEJAY_API_KEY.

async function main(): Promise<number> {
  const [what, baseUrl = ''] = process.argv.slice(2);
  const sender = { baseUrl, key: process.env.BLUEJAY_API_KEY ?? '' };
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  if (what === 'letter') print(await sendLetterToPosted(sender));
  else if (what === 'load') print(JSON.stringify(await loadApi(sender, await uploadLetter(sender), inputEnds())));
  else throw new OperatorError('Usage: customer.program.ts letter|load BASE_URL');
  return 0;
}

async function inputEnds(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.stdin.once('end', resolve).resume();
  await promise;
}

await runProgram(main);
