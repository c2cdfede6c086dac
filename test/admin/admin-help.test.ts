// Level: push
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadCommands, loadNamedCommands } from '#scripts/admin/commands.ts';
import { parseCommandLine } from '#scripts/admin/parse-command-line.ts';
import { describe, expect, test } from '../support/jest.ts';

const root = join(import.meta.dirname, '../..');
type Commands = Parameters<typeof parseCommandLine>[1];

describe('the help of the administration command line', () => {
  function helpOf(words: string[], commands: Commands): string {
    let text = '';
    const write = (part: string) => {
      text += part;
    };
    expect(() => parseCommandLine(words, commands, { write, writeError: write })).toThrow();
    return text;
  }

  test.each([[['--help']], [['help']], [['org', '--help']], [['--json', 'backup', 'create', '--help']], [['walet']]])(
    '%j says the same as with all commands loaded',
    async (words) => {
      const help = helpOf(words, await loadNamedCommands(words));
      expect(help).toBe(helpOf(words, await loadCommands()));
      expect(help.length).toBeGreaterThan(20);
    },
  );

  test('the list of all commands loads none of them', async () => {
    expect((await loadNamedCommands(['--help'])).filter((command) => 'run' in command)).toEqual([]);
    const program = `
      import { Module } from 'node:module';
      const { runAdmin } = await import('#scripts/admin/run-admin.ts');
      const output = { write: () => {}, writeError: () => {} };
      const isLoaded = () => Object.keys(Module._cache).some((path) => path.includes('/mongoose/'));
      await runAdmin(['--help'], { environment: {}, workingDir: '/', output, input: process.stdin });
      console.log(isLoaded());
      await runAdmin(['org', '--help'], { environment: {}, workingDir: '/', output, input: process.stdin });
      console.log(isLoaded());`;
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    expect(stdout).toBe('false\ntrue\n');
  });
});
