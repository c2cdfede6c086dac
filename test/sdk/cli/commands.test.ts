// Level: ci
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, eventually, expect, test, useTempFolders } from '#test/support/jest.ts';
import { killStartedPrograms, startProgram } from '#test/support/processes/process-control.ts';
import { startWorld } from '#test/support/product/world.ts';
import { clockStart, plusDays } from '#test/support/sandbox/test-clock.ts';
import { aUser, main, openCli, recipient } from '#test/support/sdk/cli.ts';

describe('the command line bluejay', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const newFolder = useTempFolders();
  const cli = openCli();
  afterEach(killStartedPrograms);

  async function newUser(mode: 'test' | 'live' = 'test') {
    const folder = await newFolder();
    return { folder, ...(await aUser(world, folder, { mode })) };
  }

  test('login stores the key with mode 0600, whoami uses it and logout removes it', async () => {
    const { customer, folder } = await newUser();
    const environment = { XDG_CONFIG_HOME: folder };
    expect(await startLogin(customer.key, environment)).toBe(0);
    const path = join(folder, 'bluejay/config.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const content = JSON.parse(await readFile(path, 'utf8'));
    expect(content).toEqual({ profiles: { default: { url: world.url, apiKey: customer.key } } });
    const who = await cli.run(['whoami'], environment);
    expect([who.code, who.stdout]).toEqual([0, expect.stringMatching(/^Mode +test$/m)]);
    expect(who.stdout).toMatch(/^For +\S.*\nMode +test\nScopes +read send webhooks addresses wallet$/m);
    expect(who.output).not.toContain(customer.key);
    expect((await cli.run(['logout'], environment)).code).toBe(0);
    const refused = await cli.run(['whoami'], environment);
    expect([refused.code, refused.stdout]).toEqual([3, '']);
    expect(refused.output).toMatch(/^Error: There is no API key .*\nRun bluejay login/);
    expect((await cli.run(['logout'], environment)).code).toBe(3);
    expect(await startLogin(`${customer.key}x`, environment)).toBe(3);
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
    // The first check of a file starts the renderer, which may take longer than the command waits.
    await eventually(async () => {
      const { code, stdout } = await cli.run(['preflight', file, '--picture', picture], environment);
      expect([code, stdout]).toEqual([0, expect.stringContaining('2 pages, 1 sheet')]);
    });
    expect((await readFile(picture)).subarray(1, 4).toString()).toBe('PNG');
    const quote = await cli.run(['quote', '--pages', '2', '--json'], environment);
    const { totalCents } = JSON.parse(quote.stdout);
    const dry = await cli.run(['send', file, ...recipient, '--dry-run', '--json'], environment);
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, totalCents, pages: 2 });
    const sent = await cli.run(['send', file, ...recipient, '--json', '--external-id', 'a'], environment);
    expect(sent.code).toBe(0);
    const { mailJobId: id } = JSON.parse(sent.stdout);
    expect((await cli.run(['mails', 'list'], environment)).stdout).toMatch(new RegExp(`^${id} +queued .* a$`, 'm'));
    const shown = (await cli.run(['mails', 'get', id], environment)).stdout;
    expect(shown).toMatch(/^Status +queued$/m);
    // Summer and winter differ, so the time has its own zone.
    const [, dropAt = ''] = /^To the post +(.+)$/m.exec(shown) ?? [];
    expect(dropAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d[+-]\d\d:\d\d$/);
    expect(new Date(dropAt).toISOString()).toBe(JSON.parse(sent.stdout).dropAt);
    const moved = await cli.run(['sandbox', 'advance', id, '--to', 'posted'], environment);
    expect(moved.stdout).toBe(`${id}: queued → posted\n`);
    expect((await cli.run(['mails', 'timeline', id, '--json'], environment)).stdout).toContain('posted');
    const triggered = await cli.run(['trigger', 'MAIL_DELIVERED', '--mail', id], environment);
    expect(triggered.stdout).toMatch(new RegExp(`^MAIL_DELIVERED about ${id}, as evt_\\w+\n$`));
    expect((await cli.run(['trigger', 'ITEM_RETURNED'], environment)).stdout).toMatch(/^ITEM_RETURNED about trigger-/);
    const cancelled = await cli.run(['mails', 'cancel', id], environment);
    expect([cancelled.code, cancelled.stdout]).toEqual([5, '']);
    expect((await cli.run(['wallet'], environment)).stdout).toMatch(/^\d+\.\d\d EUR \(test mode\)\n$/);
  });

  test('letters follow a test clock, which advances by a time or until one', async () => {
    const { environment, file } = await newUser('test');
    const dayOf = (days: number) => plusDays(clockStart, days).slice(0, 10);
    const created = await cli.run(['sandbox', 'clock', '--now', `${dayOf(0)}T08:00Z`, '--json'], environment);
    const { clockId } = JSON.parse(created.stdout);
    const sent = await cli.run(['send', file, '--pages', '2', ...recipient, '--clock', clockId, '--json'], environment);
    const { mailJobId } = JSON.parse(sent.stdout);
    const advanced = await cli.run(['sandbox', 'advance', clockId, '--by', '7d', '--json'], environment);
    expect(JSON.parse(advanced.stdout)).toMatchObject({ status: 'ready', now: `${dayOf(7)}T08:00:00.000Z` });
    const { stdout } = await cli.run(['mails', 'get', mailJobId, '--json'], environment);
    const { status, postedAt, dropAt } = JSON.parse(stdout);
    expect([status, postedAt]).toEqual(['posted', dropAt]);
    expect(dropAt >= dayOf(0) && dropAt < dayOf(7)).toBe(true);
    const further = await cli.run(['sandbox', 'advance', clockId, '--until', `${dayOf(8)}T08:00Z`], environment);
    expect(further.stdout).toMatch(new RegExp(`^${clockId} stands at ${dayOf(8)} `));
    for (const words of [[clockId], [clockId, '--by', '3'], [clockId, '--to', 'posted'], [mailJobId, '--by', '3d']]) {
      expect((await cli.run(['sandbox', 'advance', ...words], environment)).code).toBe(2);
    }
  });

  test('a live letter without a terminal is sent with --yes only', async () => {
    const { environment, file, customer } = await newUser('live');
    const refused = await cli.run(['send', file, '--pages', '2', ...recipient], environment);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.output).toContain('--yes');
    expect((await customer.http.get('/v1/mails')).body.data).toEqual([]);
    expect((await cli.run(['send', file, '--pages', '2', ...recipient, '--yes'], environment)).code).toBe(0);
    expect((await customer.http.get('/v1/mails')).body.data).toHaveLength(1);
  });

  test('a repeat with an external id names in what the letter differs that was sent before', async () => {
    const { environment, file, customer } = await newUser();
    const send = (...more: string[]) =>
      cli.run(['send', file, '--pages', '2', ...recipient, '--external-id', 'a', ...more], environment);
    expect((await send()).output).not.toContain('differs');
    const repeated = await send();
    expect([repeated.code, repeated.output]).toEqual([0, expect.stringContaining('Sent before: mj_')]);
    expect(repeated.output).not.toContain('differs');
    expect((await send('--color')).output).toContain('It differs from this one in: color. This one was not sent.');
    expect((await customer.http.get('/v1/mails')).body.data).toHaveLength(1);
  });

  test('recipients by address book, JSON and flags are sent together', async () => {
    const { environment, file, folder, customer } = await newUser();
    const person = { name: 'Bo', line1: 'Rue Haute 2', zip: '1000', city: 'Bruxelles', country: 'BE' };
    const { id } = (await customer.http.post('/v1/addresses', { kind: 'RECIPIENT', ...person })).body;
    const list = join(folder, 'recipients.json');
    await writeFile(list, JSON.stringify([{ ...person, name: 'Cy' }]));
    const more = ['--pages', '2', '--service', 'registered', '--receipt', '--color', '--json'];
    const sent = await cli.run(['send', file, '--to', id, '--to-json', list, ...recipient, ...more], environment);
    expect([sent.code, sent.output]).toEqual([0, expect.stringContaining('mj_')]);
    expect(JSON.parse(sent.stdout)).toMatchObject({
      ...{ serviceType: 'registered', acknowledgmentReceipt: true, color: true, pages: 2 },
      recipients: [{ name: 'Bo' }, { name: 'Cy' }, { name: 'Ada Peeters' }],
    });
  });

  test('mails list filters by status, service, zone, time and metadata', async () => {
    const { environment, customer } = await newUser();
    const id = await customer.sendAccepted({ metadata: { invoice: '7' } });
    const other = await customer.sendAccepted({ serviceType: 'prior' });
    const list = async (...words: string[]) => {
      const { stdout } = await cli.run(['mails', 'list', '--json', ...words], environment);
      return JSON.parse(stdout).map(({ mailJobId }: { mailJobId: string }) => mailJobId);
    };
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect(await list()).toEqual([other, id]);
    expect(await list('--limit', '1')).toEqual([other]);
    expect(await list('--service', 'prior')).toEqual([other]);
    expect(await list('--metadata', 'invoice=7')).toEqual([id]);
    expect(await list('--status', 'failed')).toEqual([]);
    expect(await list('--zone', 'INTERNATIONAL')).toEqual([]);
    expect(await list('--created-before', tomorrow)).toEqual([other, id]);
    expect(await list('--created-after', tomorrow)).toEqual([]);
  });
});
