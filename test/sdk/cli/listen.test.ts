// Level: ci
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { afterEach, describe, eventually, expect, test, useTempFolders } from '#test/support/jest.ts';
import { killStartedPrograms } from '#test/support/processes/process-control.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aUser, openCli, startCli as start } from '#test/support/sdk/cli.ts';
import { isSignedBy, openReceiver } from '#test/support/webhooks/receiver.ts';

describe('bluejay webhooks listen and events tail', () => {
  const world = startWorld();
  const newFolder = useTempFolders();
  const cli = openCli();
  afterEach(killStartedPrograms);

  test('a local program gets each event signed like a webhook, and its answer is printed', async () => {
    const receiver = await openReceiver();
    receiver.answerWith(({ body }) => (body.event === 'MAIL_FAILED' ? 500 : 204));
    const { customer: sender, environment } = await aUser(world, await newFolder());
    const program = start(['webhooks', 'listen', '--forward', receiver.url], environment);
    await program.waitForLine(/^Listening/);
    const [, secret = ''] = /^WEBHOOK_SECRET=(whsec_\S+)$/m.exec(program.output()) ?? [];
    const { mailJobId } = (await sender.send({ externalId: 'é' })).body;
    await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    await program.waitForLine(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d  ✓ MAIL_QUEUED +${mailJobId} +204 +\\d+ ms$`),
    );
    await program.waitForLine(new RegExp(`✗ MAIL_FAILED +${mailJobId} +500 +\\d+ ms$`));
    const events = (await sender.http.get('/v1/events')).body.data;
    expect(receiver.received.map(({ body }) => body.event).sort()).toEqual(['MAIL_FAILED', 'MAIL_QUEUED']);
    for (const received of receiver.received) {
      expect([isSignedBy(secret, received), isSignedBy(`${secret}x`, received)]).toEqual([true, false]);
      expect(received.headers).toMatchObject({ 'x-service-attempt': '1', 'content-type': 'application/json' });
      const { id } = events.find(({ event }: { event: string }) => event === received.body.event);
      expect((await sender.http.get(`/v1/events/${id}`)).body.body).toBe(received.raw);
    }
    program.kill('SIGINT');
    expect(await program.ended).toBe(130);
    expect(program.standardOutput()).not.toContain('WEBHOOK_SECRET');
    await receiver.close();
  });

  test('after a lost connection both commands resume with the next event, and repeat nothing', async () => {
    const { customer: sender, environment } = await aUser(world, await newFolder());
    const receiver = await openReceiver();
    const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const listen = start(['webhooks', 'listen', '--forward', receiver.url, '--json'], {
      ...environment,
      WEBHOOK_SECRET: secret,
    });
    const tail = start(['events', 'tail', '--json'], environment);
    for (const program of [listen, tail]) await program.waitForLine(/^Listening/);
    const first = (await sender.send()).body.mailJobId;
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await tail.waitForLine(new RegExp(first));
    await world.dropConnections();
    const second = (await sender.send()).body.mailJobId;
    for (const program of [listen, tail]) {
      await program.waitForLine(/^Connected again/);
      await program.waitForLine(new RegExp(second));
    }
    expect(receiver.received.map(({ body }) => body.mailJobId)).toEqual([first, second]);
    expect(receiver.received.every((each) => isSignedBy(secret, each))).toBe(true);
    for (const [program, signal, code] of [
      [listen, 'SIGTERM', 143],
      [tail, 'SIGINT', 130],
    ] as const) {
      program.kill(signal);
      expect(await program.ended).toBe(code);
      const printed = program.standardOutput().trim().split('\n');
      expect(printed.map((line) => JSON.parse(line))).toEqual(
        [first, second].map((mailJobId) => expect.objectContaining({ event: 'MAIL_QUEUED', mailJobId })),
      );
    }
    await receiver.close();
  });

  test('events tail starts after the event that --after names', async () => {
    const { customer: sender, environment } = await aUser(world, await newFolder());
    const ids = [await sender.sendAccepted(), await sender.sendAccepted()];
    const events = (await sender.http.get('/v1/events')).body.data;
    const tail = start(['events', 'tail', '--after', events[1].id], environment);
    const line = await tail.waitForLine(new RegExp(ids[1] ?? ''));
    expect(line).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d[+-]\d\d:\d\d {2}MAIL_QUEUED {5}mj_\w+ {2}evt_\w+$/);
    expect(line).toContain(events[0].id);
  });

  test('wrong flags, secrets and keys end with the fix and their exit code', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/`;
    const { environment, customer } = await aUser(world, await newFolder());
    const blind = await world.customer({ scopes: ['send'] });
    const listen = ['webhooks', 'listen', '--forward', url];
    const cases: [string[], Record<string, string>, number, RegExp][] = [
      [['webhooks', 'listen', '--forward', 'localhost:8080'], {}, 2, /--forward must be a URL such as http/],
      [listen, { WEBHOOK_SECRET: 'mine' }, 2, /WEBHOOK_SECRET must be whsec_/],
      [listen, { BLUEJAY_API_KEY: `${customer.key}x` }, 3, /Run bluejay login with a valid key/],
      [['events', 'tail'], { BLUEJAY_API_KEY: blind.key }, 3, /scope/],
      [['events', 'tail', '--after', 'evt_none'], {}, 1, /after/],
    ];
    const runs = cases.map(async ([words, own, code, text]) => {
      const result = await cli.run(words, { ...environment, ...own });
      expect([words, result.code, result.output]).toEqual([words, code, expect.stringMatching(text)]);
      expect(result.output).not.toMatch(/^ +at /m);
    });
    await Promise.all(runs);
  });
});
