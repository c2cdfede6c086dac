// Level: ci
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, useTempFolders } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aUser, openCli, recipient, runCliOnTerminal, testOnTerminal } from '#test/support/sdk/cli.ts';

const sequence = '\u001b[';
const red = (text: string) => `${sequence}31m${text}${sequence}39m`;

describe('bluejay on a terminal', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const newFolder = useTempFolders();
  const cli = openCli();

  testOnTerminal('login asks for URL and key, never shows the key, and stores it for its user only', async () => {
    const folder = await newFolder();
    const { customer, home } = await aUser(world, folder);
    const shown = await runCliOnTerminal(['login'], {
      environment: home,
      // Ctrl-U removes what was typed by mistake.
      steps: [
        ['URL of the API', `${world.url}\r`],
        ['API key', `oops\u0015${customer.key}\r`],
      ],
    });
    expect([shown.code, shown.isRestored]).toEqual([0, true]);
    expect(shown.output).toContain('Logged in to');
    expect(shown.output).not.toContain(customer.key.slice(-10));
    expect(shown.output).not.toContain('oops');
    const path = join(folder, 'bluejay/config.json');
    const { profiles } = JSON.parse(await readFile(path, 'utf8'));
    expect(profiles).toEqual({ default: { url: world.url, apiKey: customer.key } });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  testOnTerminal('Ctrl-C, Ctrl-D and SIGTERM at a question end it and restore the terminal', async () => {
    const folder = await newFolder();
    const { home, environment, file } = await aUser(world, folder, { mode: 'live' });
    const cases: [string[], Record<string, string>, string, string, number][] = [
      [['login', '--url', world.url], home, 'API key', 'abc\u0003', 130],
      [['login', '--url', world.url], home, 'API key', '\u0004', 130],
      [['login', '--url', world.url], home, 'API key', 'SIGTERM', 143],
      [['send', file, '--pages', '2', ...recipient], environment, 'yes/no', '\u0003', 130],
    ];
    for (const [words, own, pattern, text, code] of cases) {
      const shown = await runCliOnTerminal(words, { environment: own, steps: [[pattern, text]] });
      expect([words[0], text, shown.code, shown.isRestored]).toEqual([words[0], text, code, true]);
      expect(shown.output).not.toMatch(/Error|abc/);
    }
  });

  testOnTerminal('a live letter is sent on yes only', async () => {
    const { environment, file, customer } = await aUser(world, await newFolder(), { mode: 'live' });
    const send = (answer: string) =>
      runCliOnTerminal(['send', file, '--pages', '2', ...recipient], {
        environment,
        steps: [['yes/no', `${answer}\r`]],
      });
    const refused = await send('');
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining(`${red('Error:')} Nothing was sent.`)]);
    expect((await customer.http.get('/v1/mails')).body.data).toEqual([]);
    const sent = await send('y');
    expect([sent.code, sent.output]).toEqual([0, expect.stringContaining('Sent mj_')]);
  });

  testOnTerminal('Ctrl-C ends events tail and a wait for input with 130', async () => {
    const { environment, file } = await aUser(world, await newFolder());
    const cases: [string[], string, string][] = [
      [['events', 'tail'], 'Listening', '\u0003'],
      [['send', file, '--to-json', '-'], 'Reading', '\u0003'],
    ];
    for (const [words, pattern, text] of cases) {
      const shown = await runCliOnTerminal(words, { environment, steps: [[pattern, text]] });
      expect([words[0], shown.code, shown.isRestored]).toEqual([words[0], 130, true]);
    }
  });

  test('colours are shown on a terminal, but not with NO_COLOR, TERM=dumb or --json', async () => {
    const { environment } = await aUser(world, await newFolder());
    const show = async (words: string[], more: Record<string, string> = {}) =>
      (await cli.run(words, { ...environment, ...more }, 200)).output;
    expect(await show(['mails', 'get', 'mj_none'])).toContain(red('Error:'));
    expect(await show(['mails', 'list'])).toContain(`${sequence}2mThere are no such letters.`);
    expect(await show(['mails', 'get', 'mj_none'], { NO_COLOR: '1' })).not.toContain(sequence);
    expect(await show(['mails', 'get', 'mj_none'], { TERM: 'dumb' })).not.toContain(sequence);
    expect(await show(['mails', 'list', '--json'])).not.toContain(sequence);
    expect(await show(['mails', 'get', 'mj_none', '--json'])).not.toContain(sequence);
  });

  test('the help keeps its columns on a narrow terminal', async () => {
    const { output } = await cli.run(['quote', '--help'], {}, 50);
    const lines = output.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
    const at = lines.findIndex((line) => line.includes('--service <SERVICE>'));
    expect(lines.slice(at, at + 4)).toEqual([
      '  --service <SERVICE>  How it is sent. Default:',
      '                       standard. (choices:',
      '                       "standard", "prior",',
      '                       "registered")',
    ]);
  });
});
