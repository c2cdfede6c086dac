import { Command } from 'commander';
import { serveTools } from './mcp/serve-tools.ts';
import { runProgram } from './program/run-program.ts';

const command = new Command('npm run --silent mcp --')
  .description('Serves the tools for agents (Model Context Protocol) on standard input and output.')
  .option('--live', 'take a live key: letters are then printed, posted and paid with real money')
  .addHelpText('after', '\nBLUEJAY_URL is the address of the API, BLUEJAY_API_KEY the key to use.')
  .allowExcessArguments(false)
  .parse();
const { BLUEJAY_URL, BLUEJAY_API_KEY } = process.env;
await runProgram(() =>
  serveTools({
    url: BLUEJAY_URL,
    key: BLUEJAY_API_KEY,
    isLiveAllowed: command.opts<{ live?: boolean }>().live === true,
  }),
);
