// Runs command lines of `bluejay` one after the other, in a process that has loaded the commands once.
import { runCli } from '#scripts/sdk/cli/run-cli.ts';
import type { CommandLine } from './cli.ts';

process.on('message', async ({ words, environment, columns }: CommandLine) => {
  process.env = { ...environment };
  let [stdout, output] = ['', ''];
  for (const stream of [process.stdout, process.stderr]) {
    const isTerminal = columns !== undefined;
    Object.assign(stream, {
      isTTY: isTerminal,
      columns,
      write(text: string) {
        if (stream === process.stdout) stdout += text;
        output += text;
        return true;
      },
    });
  }
  const code = await runCli(words);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  process.send?.({ code, stdout, output });
});
