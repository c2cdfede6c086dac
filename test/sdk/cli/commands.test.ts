import { spawnSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, useTempFolders } from '#test/support/jest.ts';
import { killStartedPrograms, startNode, startProgram } from '#test/support/processes/process-control.ts';
import { aPdf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const main = join(import.meta.dirname, '../../../scripts/sdk/typescript/src/cli/main.ts');
const withinMs = 20_000;
const recipient = ['--name', 'Ada Peeters', '--line1', 'Rue Haute 1', '--zip', '1000', '--city', 'Bruxelles'];

describe('the command line bluejay', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const newFolder = useTempFolders();
  afterEach(killStartedPrograms);

  const start = (words: string[], environment: Record<string, string>) =>
    startNode([main, ...words], { environment: { PATH: process.env.PATH, ...environment } });

  async function run(words: string[], environment: Record<string, string>) {
    const program = start(words, environment);
    return { code: await program.ended, stdout: program.standardOutput(), output: program.output() };
  }

  /** The environment of a user with a key and an empty home. */
  async function newUser(mode: 'test' | 'live' = 'test') {
    const folder = await newFolder();
    const customer = await world.customer({ mode, balanceCents: 100_000 });
    const file = join(folder, 'letter.pdf');
    await writeFile(file, await aPdf(2));
    const environment = {
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      BLUEJAY_URL: world.url,
      BLUEJAY_API_KEY: customer.key,
    };
    return { customer, folder, file, environment };
  }

  test('login stores the key with mode 0600, whoami uses it and logout removes it', async () => {
    const { customer, folder } = await newUser();
    const environment = { XDG_CONFIG_HOME: folder };
    expect(await startLogin(customer.key, environment)).toBe(0);
    const path = join(folder, 'bluejay/config.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const content = JSON.parse(await readFile(path, 'utf8'));
    expect(content).toEqual({ profiles: { default: { url: world.url, apiKey: customer.key } } });
    const who = await run(['whoami'], environment);
    expect([who.code, who.stdout]).toEqual([0, expect.stringMatching(/^Mode +test$/m)]);
    expect(who.output).not.toContain(customer.key);
    expect((await run(['logout'], environment)).code).toBe(0);
    const refused = await run(['whoami'], environment);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.output).toMatch(/^Error: There is no API key .*\nRun bluejay login/);
    expect((await run(['logout'], environment)).code).toBe(1);
    expect(await startLogin(`${customer.key}x`, environment)).toBe(1);
  });

  /** Runs login with a key on standard input, without blocking the service in this process. */
  async function startLogin(key: string, environment: Record<string, string>) {
    const file = join(await newFolder(), 'key.txt');
    await writeFile(file, key);
    const command = '"$0" "$1" login --url "$2" --key-stdin < "$3"';
    const args = ['-c', command, process.execPath, main, world.url, file];
    return await startProgram('sh', args, { environment: { PATH: process.env.PATH, ...environment } }).ended;
  }

  test('a letter is checked, priced, sent, listed, shown, advanced and followed', async () => {
    const { environment, file, folder } = await newUser();
    const picture = join(folder, 'page.png');
    const check = await run(['preflight', file, '--picture', picture], environment);
    expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('2 pages, 1 sheet')]);
    expect((await readFile(picture)).subarray(1, 4).toString()).toBe('PNG');
    const quote = await run(['quote', '--pages', '2', '--json'], environment);
    const { totalCents } = JSON.parse(quote.stdout);
    const dry = await run(['send', file, ...recipient, '--dry-run', '--json'], environment);
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, totalCents, pages: 2 });
    const sent = await run(['send', file, ...recipient, '--json', '--external-id', 'a'], environment);
    expect(sent.code).toBe(0);
    const { mailJobId: id } = JSON.parse(sent.stdout);
    expect((await run(['mails', 'list'], environment)).stdout).toMatch(new RegExp(`^${id} +queued .* a$`, 'm'));
    expect((await run(['mails', 'get', id], environment)).stdout).toMatch(/^Status +queued$/m);
    const moved = await run(['sandbox', 'advance', id, '--to', 'posted'], environment);
    expect(moved.stdout).toBe(`${id}: queued → posted\n`);
    expect((await run(['mails', 'timeline', id, '--json'], environment)).stdout).toContain('posted');
    const triggered = await run(['trigger', 'MAIL_DELIVERED', '--mail', id], environment);
    expect(triggered.stdout).toMatch(new RegExp(`^MAIL_DELIVERED about ${id}, as evt_\\w+\n$`));
    expect((await run(['trigger', 'ITEM_RETURNED'], environment)).stdout).toMatch(/^ITEM_RETURNED about trigger-/);
    const cancelled = await run(['mails', 'cancel', id], environment);
    expect([cancelled.code, cancelled.stdout]).toEqual([1, '']);
    expect((await run(['wallet'], environment)).stdout).toMatch(/^\d+\.\d\d EUR \(test mode\)\n$/);
  });

  test('a live letter without a terminal is sent with --yes only', async () => {
    const { environment, file, customer } = await newUser('live');
    const refused = await run(['send', file, ...recipient], environment);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.output).toContain('--yes');
    expect((await customer.http.get('/v1/mails')).body.data).toEqual([]);
    expect((await run(['send', file, ...recipient, '--yes'], environment)).code).toBe(0);
    expect((await customer.http.get('/v1/mails')).body.data).toHaveLength(1);
  });

  test('a wrong command line exits with 2, a refused request with 1 and its issues', async () => {
    const { environment, file } = await newUser();
    const cases: [string[], number, RegExp][] = [
      [['mials'], 2, /Did you mean mails\?/],
      [['mails', 'lst'], 2, /Did you mean mails list\?/],
      [['quote', '--pagse', '2'], 2, /Did you mean --pages\?/],
      [['send', file], 2, /There is no recipient/],
      [['mails', 'get'], 2, /ID is missing/],
      [['mails', 'get', 'mj_nothing'], 1, /^Error: /],
      [['sandbox', 'advance', 'mj_nothing'], 1, /^Error: /],
      [['trigger', 'MAIL_LOST'], 1, /event: .*MAIL_QUEUED/],
      [['send', `${file}x`, ...recipient], 1, /There is no file/],
      [['preflight', main], 1, /cannot be printed/],
      [['quote', '--pages', '9999'], 1, /pages: /],
    ];
    for (const [words, code, text] of cases) {
      const result = await run(words, environment);
      expect([words, result.code, result.stdout]).toEqual([words, code, '']);
      expect(result.output).toMatch(text);
    }
  });

  test('events are printed until Ctrl-C, as one JSON value per line', async () => {
    const { environment, customer } = await newUser();
    const tail = start(['events', 'tail', '--json'], environment);
    await tail.waitForLine(/^Waiting/, { withinMs });
    const id = await customer.sendAccepted();
    await tail.waitForLine(new RegExp(id), { withinMs });
    tail.kill('SIGINT');
    expect(await tail.ended).toBe(0);
    const events = tail
      .standardOutput()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toEqual([expect.objectContaining({ event: 'MAIL_QUEUED', mailJobId: id })]);
    const [{ id: first }] = (await customer.http.get('/v1/events')).body.data;
    const text = start(['events', 'tail', '--after', first], environment);
    const next = await customer.sendAccepted();
    const line = await text.waitForLine(new RegExp(next), { withinMs });
    expect(line).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d {2}MAIL_QUEUED {5}mj_\w+ {2}evt_\w+$/);
  });

  test('a closed pipe ends the program quietly, and bash completes commands', () => {
    const shell = (script: string) =>
      spawnSync('bash', ['-c', script, process.execPath, main], { encoding: 'utf8', timeout: withinMs });
    const piped = shell(`"$0" "$1" completion fish | true; echo "\${PIPESTATUS[0]}"`);
    expect([piped.stdout, piped.stderr]).toEqual(['0\n', '']);
    const complete = (...words: string[]) =>
      shell(
        `eval "$("$0" "$1" completion bash)"; COMP_WORDS=(bluejay ${words.join(' ')}); COMP_CWORD=${words.length}; _bluejay; echo "\${COMPREPLY[*]}"`,
      ).stdout.trim();
    expect(complete('ma')).toBe('mails');
    expect(complete('mails', 'ca')).toBe('cancel');
    expect(complete('send', 'x.pdf', '--dry')).toBe('--dry-run');
    expect(complete('send', '--service', 'reg')).toBe('registered');
  });
});
