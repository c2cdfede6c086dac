// Level: push
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test, testWithPrograms, useTempFolders } from '#test/support/jest.ts';
import { openCli, runOnTerminal, type Step } from '#test/support/sdk/cli.ts';

const run = promisify(execFile);

/** What is typed before the tab, and what the line is then. Completion stops where several words fit. */
const lines: [typed: string, completed: string][] = [
  ['wal', 'wallet'],
  ['mails ca', 'mails cancel'],
  ['mails list --exte', 'mails list --external-id'],
  ['mails list --status qu', 'mails list --status queued'],
  ['mails list --status=qu', 'mails list --status=queued'],
  ['--profile live wal', '--profile live wallet'],
  ['--profile=live mails can', '--profile=live mails cancel'],
  ['help quo', 'help quote'],
  ['send le', 'send letter.pdf'],
  ['send letter.pdf --serv', 'send letter.pdf --service'],
  ['send --service reg', 'send --service registered'],
  ['bulk --document le', 'bulk --document letter.pdf'],
  ['trigger MAIL_PO', 'trigger MAIL_POSTED'],
  ['completion z', 'completion zsh'],
  // Neither an id nor a number is a file.
  ['mails get le', 'mails get le'],
  ['quote --pages le', 'quote --pages le'],
];

describe('completion', () => {
  const newFolder = useTempFolders();
  const cli = openCli();

  /** Stores the script of a shell beside a letter, and returns the folder. */
  async function aFolder(shell: string): Promise<string> {
    const folder = await newFolder();
    const { stdout } = await cli.run(['completion', shell]);
    await writeFile(join(folder, 'completion'), stdout);
    await writeFile(join(folder, 'letter.pdf'), '');
    return folder;
  }

  /** Types each line with a tab and Enter into a shell on a terminal, and returns the lines that it ran. */
  async function complete(command: string[], setup: string): Promise<string[]> {
    // The prompt is not in what is typed, which the terminal shows as well.
    const start = `bluejay() { printf '<%s>\\n' "$*"; }; ${setup}; PS1='go''> '\r`;
    const [first, ...rest] = lines.map(([typed]) => `bluejay ${typed}\t\r`);
    const steps: Step[] = [...rest, 'exit\r'].map((typed) => ['>\\r\\n[\\s\\S]*go> ', typed]);
    const { output, code } = await runOnTerminal(command, {
      steps: [['.', start], ['go> ', first ?? ''], ...steps],
    });
    expect(code).toBe(0);
    return [...output.matchAll(/<(.*?)>\r\n/g)].map(([, words = '']) => words.trimEnd());
  }

  testWithPrograms('bash', 'python3')('bash completes commands, flags, their values and files', async () => {
    const folder = await aFolder('bash');
    const completed = await complete(['bash', '--norc', '--noprofile', '-i'], `cd '${folder}'; source ./completion`);
    expect(completed).toEqual(lines.map(([, line]) => line));
  });

  testWithPrograms('zsh', 'python3')('zsh completes commands, flags, their values and files', async () => {
    const folder = await aFolder('zsh');
    const completed = await complete(['zsh', '-f', '-i'], `cd '${folder}'; source ./completion`);
    expect(completed).toEqual(lines.map(([, line]) => line));
  });

  testWithPrograms('fish')('fish completes commands, flags, their values and files', async () => {
    const folder = await aFolder('fish');
    const queries = lines.map(([typed]) => `complete -C 'bluejay ${typed}'; echo ---`);
    const script = `source ./completion; ${queries.join('; ')}`;
    const env = { PATH: process.env.PATH, HOME: folder };
    const { stdout, stderr } = await run('fish', ['--no-config', '-c', script], { cwd: folder, env });
    expect(stderr).toBe('');
    const offered = stdout.split('---\n').slice(0, -1);
    // Each offered word comes with its description behind a tab.
    const completed = offered.map((text, index) => {
      const [typed = ''] = lines[index] ?? [];
      const words =
        text.trim() === ''
          ? []
          : text
              .trim()
              .split('\n')
              .map((line) => line.split('\t')[0]);
      return words.length === 1 ? typed.replace(/\S+$/, words[0] ?? '') : typed;
    });
    expect(completed).toEqual(lines.map(([, line]) => line));
  });

  testWithPrograms('zsh', 'python3')('zsh also loads the script from a folder of fpath', async () => {
    const folder = await aFolder('zsh');
    const setup = `cd '${folder}'; mv completion _bluejay; fpath=('${folder}' $fpath); autoload -Uz compinit; compinit -u -D`;
    expect((await complete(['zsh', '-f', '-i'], setup)).slice(0, 2)).toEqual(['wallet', 'mails cancel']);
  });

  test('the script of each shell is part of the JSON', async () => {
    const { stdout } = await cli.run(['completion', 'bash', '--json']);
    expect(JSON.parse(stdout)).toEqual({ shell: 'bash', script: expect.stringContaining('complete -F _bluejay') });
  });
});
