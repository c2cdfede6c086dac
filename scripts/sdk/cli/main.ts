#!/usr/bin/env node
import { runCli } from './run-cli.ts';

// Stays when Node ends because nothing is left to wait for while a command has not finished: that is a fault.
process.exitCode = 70;
void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // What is buffered is written before Node ends by itself. Standard input would keep it running.
  process.stdin.unref?.();
});
