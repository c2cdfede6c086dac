import { runAdmin } from './admin/run-admin.ts';
import { runProgram } from './run-program.ts';

await runProgram(() =>
  runAdmin(process.argv.slice(2), {
    environment: process.env,
    // npm runs scripts in the project's folder; paths are meant from where its user stands.
    workingDir: process.env.INIT_CWD ?? process.cwd(),
    output: {
      write: (text) => void process.stdout.write(text),
      writeError: (text) => void process.stderr.write(text),
    },
  }),
);
