import { join } from 'node:path';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { afterEach, describe, eventually, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, type Program, startNode } from '../support/processes/process-control.ts';
import { writeDemoFile } from '../support/product/service-process.ts';
import { startWorld } from '../support/product/world.ts';
import { isSignedBy, openReceiver } from '../support/webhooks/receiver.ts';

const script = join(import.meta.dirname, '../../scripts/listen.ts');
const withinMs = 20_000;

describe('npm run listen', () => {
  const world = startWorld();
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  function listen(args: string[], environment: Record<string, string> = {}): Program {
    return startNode([script, ...args], { environment: { PATH: process.env.PATH, ...environment } });
  }

  test('a local program gets each event signed like a webhook, and its answer is printed', async () => {
    const receiver = await openReceiver();
    receiver.answerWith(({ body }) => (body.event === 'MAIL_FAILED' ? 500 : 204));
    const sender = await world.customer();
    const environment = { BLUEJAY_URL: world.url, BLUEJAY_TEST_KEY: sender.key };
    const program = listen(['--forward', receiver.url], environment);
    await program.waitForLine(/^Listening/, { withinMs });
    const [, secret = ''] = /^WEBHOOK_SECRET=(whsec_\S+)$/m.exec(program.output()) ?? [];
    const { mailJobId } = (await sender.send({ externalId: 'é' })).body;
    await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    await program.waitForLine(new RegExp(`✓ MAIL_QUEUED +${mailJobId} +204 +\\d+ ms$`), { withinMs });
    await program.waitForLine(new RegExp(`✗ MAIL_FAILED +${mailJobId} +500 +\\d+ ms$`), { withinMs });
    const events = (await sender.http.get('/v1/events')).body.data;
    expect(receiver.received.map(({ body }) => body.event).sort()).toEqual(['MAIL_FAILED', 'MAIL_QUEUED']);
    for (const received of receiver.received) {
      expect([isSignedBy(secret, received), isSignedBy(`${secret}x`, received)]).toEqual([true, false]);
      expect(received.headers).toMatchObject({ 'x-service-attempt': '1', 'content-type': 'application/json' });
      const { id } = events.find(({ event }: { event: string }) => event === received.body.event);
      expect((await sender.http.get(`/v1/events/${id}`)).body.body).toBe(received.raw);
    }
    program.kill('SIGINT');
    expect(await program.ended).toBe(0);
    expect(program.standardOutput().trimEnd().split('\n').at(-1)).toBe('Stopped.');
    await receiver.close();
  });

  test('after a lost connection it reconnects and sends nothing twice', async () => {
    const dataDir = await makeFolder();
    const sender = await world.customer();
    const proxy = await openReceiver();
    await writeDemoFile(dataDir, { BLUEJAY_URL: world.url, BLUEJAY_TEST_KEY: sender.key });
    const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const program = listen(['--forward', proxy.url, '--secret', secret], { DATA_DIR: dataDir });
    await program.waitForLine(/^Listening/, { withinMs });
    const first = (await sender.send()).body.mailJobId;
    await eventually(() => expect(proxy.received).toHaveLength(1), { withinMs });
    await world.dropConnections();
    const second = (await sender.send()).body.mailJobId;
    await program.waitForLine(/^Connected again/, { withinMs });
    await eventually(() => expect(proxy.received).toHaveLength(2), { withinMs });
    expect(proxy.received.map(({ body }) => body.mailJobId)).toEqual([first, second]);
    expect(proxy.received.every((each) => isSignedBy(secret, each))).toBe(true);
    program.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    await proxy.close();
  });

  test('wrong options and keys exit with code 1 and one sentence with the fix', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/`;
    const customer = await world.customer();
    const blind = await world.customer({ scopes: ['send'] });
    const empty = { DATA_DIR: await makeFolder() };
    const forward = ['--forward', url];
    const key = ['--key', customer.key];
    const cases: [string[], RegExp][] = [
      [[], /required option '--forward <url>'/],
      [[...forward, ...key], /There is no address: give --url or BLUEJAY_URL\. .*demo\.env/],
      [[...forward, '--url', world.url], /There is no key: give --key or BLUEJAY_TEST_KEY\./],
      [['--forward', 'localhost:8080', ...key, '--url', world.url], /--forward must be a URL such as http/],
      [[...forward, ...key, '--url', world.url, '--secret', 'mine'], /--secret must be whsec_/],
      [[...forward, '--key', `${customer.key}x`, '--url', world.url], /The key is not valid here: .*401/],
      [[...forward, '--key', blind.key, '--url', world.url], /The key must have the scope read: .*403/],
    ];
    const runs = cases.map(async ([args, text]) => {
      const program = listen(args, empty);
      expect([await program.ended, program.output()]).toEqual([1, expect.stringMatching(text)]);
      expect(program.output()).not.toMatch(/^ +at /m);
    });
    await Promise.all(runs);
  });
});
