import { runAdmin } from './admin/run-admin.ts';
import { runProgram } from './program/run-program.ts';

await runProgram(() =>
  runAdmin(process.argv.slice(2), {
    environment: process.env,
    // npm changes to the project folder. Relative paths on the command line start at the caller's folder.
    workingDir: process.env.INIT_CWD ?? process.cwd(),
    input: process.stdin,
    output: {
      write: (text) => void process.stdout.write(text),
      writeError: (text) => void process.stderr.write(text),
    },
  }),
);
