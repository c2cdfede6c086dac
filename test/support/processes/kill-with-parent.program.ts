import { spawn } from 'node:child_process';
import { watchParent } from '#scripts/local-servers/object-store/watch-parent.ts';

// Runs the program of its arguments. Ends it on SIGTERM, or when the parent process dies: a third-party program would not
// notice that, and a killed test run must leave no process behind.
const [command = '', ...words] = process.argv.slice(2);
const child = spawn(command, words, { stdio: 'inherit' });
watchParent(process.ppid, () => child.kill('SIGKILL'));
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 0));
