#!/usr/bin/env node
import { runCli } from './run-cli.ts';

void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // What is buffered is written before Node ends by itself. Standard input would keep it running.
  process.stdin.unref?.();
});
