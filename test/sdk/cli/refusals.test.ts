// Level: ci
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, eventually, expect, test, useTempFolders } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aUser, main, openCli, recipient } from '#test/support/sdk/cli.ts';
import { startSandboxProxy } from '#test/support/sdk/start-sandbox-proxy.ts';

describe('what bluejay refuses', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const newFolder = useTempFolders();
  const cli = openCli();

  test('a wrong command line exits with 2 and names the word that was meant', async () => {
    const { environment, file } = await aUser(world, await newFolder());
    const cases: [string[], RegExp][] = [
      [['mials'], /^Error: Unknown command 'mials'\.\nDid you mean mails\?\n$/],
      [['mails', 'lst'], /Did you mean list\?/],
      [['help', 'mials'], /Did you mean mails\?/],
      [['mails', 'bogus'], /See bluejay mails --help\./],
      [['--profle', 'live', 'wallet'], /Unknown option '--profle'\.\nDid you mean --profile\?/],
      [['quote', '--pagse', '2'], /Did you mean --pages\?/],
      [['quote', '--pages'], /'--pages <N>' argument missing\.\nSee bluejay quote --help\./],
      // The letter would be sent, with this external id.
      [['send', file, '--external-id', '--dry-run'], /needs a value, or --external-id=--dry-run if that is meant/],
      [['mails', 'list', '--external-id='], /It is empty\./],
      [['mails', 'get', ''], /'ID'. It is empty\./],
      [['quote', '--pages', '0'], /--pages must be a whole number from 1, not "0"\./],
      [['quote', '--color=yes'], /Unknown option '--color=yes'\./],
      [
        ['quote', '--service', 'registred'],
        /'registred' is invalid\. Allowed choices are standard, prior, registered\./,
      ],
      [['quote', '3'], /Too many arguments for 'quote'\./],
      [['send', file], /There is no recipient/],
      [['send', file, '--city', 'Gent'], /--name, --line1, --zip is missing/],
      // The first of two recipients would be lost.
      [['send', file, ...recipient, ...recipient], /'--name <NAME>' .* is given more than once\./],
      [['mails', 'get'], /Missing required argument 'ID'\./],
      [['mails', 'list', '--created-after', 'soon'], /--created-after must be a time such as/],
      [['mails', 'list', '--metadata', 'invoice'], /--metadata must be KEY=VALUE/],
      [['webhooks', 'listen'], /--forward is missing/],
    ];
    for (const [words, text] of cases) {
      const result = await cli.run(words, environment);
      expect([words, result.code, result.stdout]).toEqual([words, 2, '']);
      expect(result.output).toMatch(text);
    }
  });

  test('each kind of refusal has its exit code, one message and what to do next', async () => {
    const { environment, file, customer } = await aUser(world, await newFolder());
    const poor = await aUser(world, await newFolder(), { balanceCents: 0 });
    const blind = await aUser(world, await newFolder(), { scopes: ['send'] });
    const id = await customer.sendAccepted();
    await customer.http.post(`/v1/mails/${id}/simulate`, { to: 'posted' });
    const empty = join(await newFolder(), 'empty.pdf');
    await writeFile(empty, '');
    const huge = join(empty, '../huge.pdf');
    await writeFile(huge, Buffer.alloc(20 * 1024 * 1024 + 1));
    const nowhere = { ...environment, BLUEJAY_URL: 'http://127.0.0.1:2' };
    const cases: [string[], Record<string, string>, number, RegExp][] = [
      [['mails', 'get', 'mj_none'], environment, 4, /no such resource\.\nCheck the id\./],
      [['mails', 'cancel', id], environment, 5, /no longer be cancelled.*\nbluejay mails get ID/],
      [['send', file, '--pages', '2', ...recipient], poor.environment, 6, /balance.*\nAdd money to the wallet/],
      [['mails', 'list'], blind.environment, 3, /Use a key with the scope/],
      [['wallet'], { ...environment, BLUEJAY_API_KEY: 'bjk_test_no' }, 3, /Run bluejay login with a valid key/],
      [['wallet'], nowhere, 8, /connection to http:\/\/127\.0\.0\.1:\d+ failed.*\nIs the URL right/],
      [['wallet', '--url', `${world.url}/nothing`], environment, 4, /Error: /],
      [['trigger', 'MAIL_LOST'], environment, 1, /event: .*MAIL_QUEUED/],
      [['quote', '--pages', '9999'], environment, 1, /pages: .*\nCorrect the values above/],
      [['preflight', main], environment, 9, /cannot be printed/],
      [['send', empty, ...recipient], environment, 9, /The file is empty\./],
      [['send', huge, ...recipient], environment, 9, /at most 20971520 are allowed/],
      [['send', `${file}x`, ...recipient], environment, 1, /There is no file/],
      [['preflight', join(file, '..')], environment, 1, /folder, not a file/],
    ];
    for (const [words, own, code, text] of cases) {
      const result = await cli.run(words, own);
      expect([words, result.code, result.output]).toEqual([words, code, expect.stringMatching(text)]);
      expect(result.output).not.toMatch(/^ +at /m);
    }
    // The first check of a file starts the renderer, which may take longer than the command waits.
    await eventually(async () => {
      const { code, output } = await cli.run(['preflight', file, '--picture', `${file}/p.png`], environment);
      expect([code, output]).toEqual([1, expect.stringMatching(/A part of .* is a file, not a folder/)]);
    });
  });

  test('a file that cannot be printed is refused by preflight and send alike, with its findings', async () => {
    const { environment } = await aUser(world, await newFolder());
    const broken = join(await newFolder(), 'broken.pdf');
    await writeFile(broken, 'This is no PDF.');
    for (const words of [
      ['preflight', broken],
      ['send', broken, ...recipient],
    ]) {
      const result = await cli.run(words, environment);
      expect([words[0], result.code]).toEqual([words[0], 9]);
      expect(result.output).toMatch(/not what its mimeType says[\s\S]*(Fix the errors above|bluejay preflight)/);
    }
    const { stdout, output } = await cli.run(['preflight', broken, '--json'], environment);
    expect(JSON.parse(stdout)).toMatchObject({ canBePrinted: false });
    expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toMatchObject({ error: { code: 'CANNOT_BE_PRINTED' } });
  });

  test.each([
    ['rate-limited', 7, 'RATE_LIMITED', 'Wait 2 s, then repeat the command.'],
    ['service-unavailable', 8, 'SERVICE_UNAVAILABLE', 'Wait 2 s, then repeat the command.'],
    ['pricing-unavailable', 8, 'PRICING_UNAVAILABLE', expect.stringContaining('Choose another --service')],
  ])('%s: exit code %i, and with --json an error of its own on standard error', async (outcome, exit, code, next) => {
    const proxy = await startSandboxProxy(world.url, outcome);
    const { environment } = await aUser(world, await newFolder());
    const result = await cli.run(['quote', '--json', '--url', proxy.url], environment);
    expect([result.code, result.stdout]).toEqual([exit, '']);
    expect(JSON.parse(result.output)).toEqual({ error: expect.objectContaining({ code, next }) });
    await proxy.close();
  });

  test('a key that no header can carry is refused without showing it', async () => {
    const { environment } = await aUser(world, await newFolder());
    for (const words of [['wallet'], ['events', 'tail']]) {
      const result = await cli.run(words, { ...environment, BLUEJAY_API_KEY: 'bjk_secret one\ntwo' });
      expect([result.code, result.output]).toEqual([3, expect.stringContaining('characters that no key has')]);
      expect(result.output).not.toContain('secret');
    }
  });

  test('logins: --profile before or after the command wins over the environment, and damage is named', async () => {
    const folder = await newFolder();
    const { environment, home, customer } = await aUser(world, folder);
    const live = await world.customer({ mode: 'live' });
    const config = join(folder, 'bluejay/config.json');
    await mkdir(join(folder, 'bluejay'));
    const profiles = { live: { url: world.url, apiKey: live.key }, broken: { url: 'x', apiKey: customer.key } };
    await writeFile(config, JSON.stringify({ profiles }));
    const modeOf = async (...words: string[]) => /^Mode +(\w+)$/m.exec((await cli.run(words, environment)).stdout)?.[1];
    expect(await modeOf('whoami')).toBe('test');
    expect(await modeOf('whoami', '--profile', 'live')).toBe('live');
    expect(await modeOf('--profile=live', 'whoami')).toBe('live');
    const cases: [string[], number, RegExp][] = [
      [['wallet'], 3, /no API key for the profile default\.\nRun bluejay login, or set BLUEJAY_API_KEY/],
      [['wallet', '--profile', 'other'], 3, /profile other\.\nRun bluejay login --profile other\./],
      [['wallet', '--profile', 'broken'], 2, /The URL of the profile broken must be a URL such as/],
    ];
    for (const [words, code, text] of cases) {
      const result = await cli.run(words, home);
      expect([words, result.code, result.output]).toEqual([words, code, expect.stringMatching(text)]);
    }
    // logout rewrites the file, whatever its mode was.
    await chmod(config, 0o644);
    expect((await cli.run(['logout', '--profile', 'broken'], home)).code).toBe(0);
    expect(JSON.parse(await readFile(config, 'utf8')).profiles).toEqual({ live: profiles.live });
    for (const text of ['{ not', 'null', '{"profiles":{"default":1}}']) {
      await writeFile(config, text);
      const result = await cli.run(['wallet'], home);
      expect([text, result.code]).toEqual([text, 1]);
      expect(result.output).toMatch(/config\.json is damaged\.\nRemove it, then run bluejay login\./);
    }
  });

  test('a closed pipe ends the program quietly', async () => {
    const child = spawn(process.execPath, [main, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const [code] = await once(child, 'exit');
    expect([code, errors]).toEqual([0, '']);
  });
});
