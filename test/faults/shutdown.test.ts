// Level: ci
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { afterEach, describe, eventually, expect, test } from '../support/jest.ts';
import { killStartedPrograms, startProductProcess } from '../support/processes/process-control.ts';
import { type ApiProcess, startApis } from '../support/product/api-fleet.ts';
import { type Answer, aSender, createClient } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { expectInvariants } from '../support/wallet/invariants.ts';
import { openEventSource } from '../support/webhooks/event-source.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';

describe('a process that gets SIGTERM', () => {
  const world = startWorld({ hasOwnRedis: true });
  const receiver = startReceiver();
  afterEach(killStartedPrograms);

  test('workers finish and record the delivery in flight, and exit with 0', async () => {
    const customer = await world.customer();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const workers = await startProductProcess('workers/main.ts', world.environment);
    const { promise: hasCome, resolve: come } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<number>();
    receiver.answerWith(() => {
      come();
      return mayAnswer;
    });
    await customer.send();
    await hasCome;

    workers.kill('SIGTERM');
    answer(200);

    expect(await workers.ended).toBe(0);
    expect(receiver.received).toHaveLength(1);
  });

  test('workers exit with 0 while Redis is unreachable', async () => {
    const workers = await startProductProcess('workers/main.ts', world.environment);
    await world.ownRedis?.stop();

    workers.kill('SIGTERM');

    // A process that waits for Redis is ended after 28 s, with 1.
    expect(await workers.ended).toBe(0);
    await world.ownRedis?.start();
  });

  test('an idle API exits with 0 after the drain delay', async () => {
    const api = await startProductProcess('api/server.ts', { ...world.environment, DRAIN_DELAY_S: '1' });
    api.kill('SIGTERM');
    expect(await api.ended).toBe(0);
  });

  test('an API answers requests for the drain delay, while it reports itself as not ready', async () => {
    const port = String(await findFreePort());
    const environment = { ...world.environment, PORT: port, WEB_PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'info' };
    const api = await startProductProcess('api/server.ts', { ...environment, DRAIN_DELAY_S: '20' });
    const { metricsPort } = JSON.parse(await api.waitForLine(/"metricsPort"/));
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${path}`)).status;
    api.kill('SIGTERM');
    const statuses = () => Promise.all([`${metricsPort}/readyz`, `${port}/v1/wallet`].map(statusOf));
    await eventually(async () => expect(await statuses()).toEqual([503, 401]));
    expect(await api.ended).toBe(0);
  });

  test('an API with an open event stream ends the stream and exits with 0', async () => {
    const { key } = await world.customer();
    const [{ program: api, url }] = (await startApis(world, 1)) as [ApiProcess];
    const source = await openEventSource(`${url}/v1/events/stream`, key);
    expect(source.status).toBe(200);
    await eventually(() => expect(source.received).toHaveLength(1));

    const textBefore = source.text();
    api.kill('SIGTERM');

    // A process that waits for the reader is ended after 28 s, with 1.
    expect(await api.ended).toBe(0);
    await eventually(() => expect(source.hasEnded()).toBe(true));
    // A stream that went on would send a heartbeat after 15 s.
    expect(source.text()).toBe(textBefore);
  });

  test('an API whose port is in use says so in one sentence and exits with 1', async () => {
    const blocker = createServer();
    const port = await listen(blocker, 0);
    const environment = { ...world.environment, PORT: String(port), WEB_PORT: '0', METRICS_PORT: '0' };
    const api = startProductProcess('api/server.ts', environment);
    await expect(api).rejects.toThrow(`Port ${port} is in use. Set PORT, WEB_PORT or METRICS_PORT to a free one.`);
    await closeServer(blocker);
  });

  test('every accepted send is answered and stored, no other is stored, and it exits with 0', async () => {
    const sender = await aSender(world, { balanceCents: 100_000_000 });
    const [api] = await startApis(world, 1);
    const client = createClient(api?.url ?? '', sender.key);
    const letter = await sender.letter();
    const stored = () => MailJob.countDocuments({ organizationId: sender.organizationId });
    const sends = Array.from({ length: 40 }, async (_, lane) => {
      const answers: Answer[] = [];
      for (;;) {
        const externalId = `order-${lane}-${answers.length}`;
        // A connection that was refused, or never accepted, counts as no answer, and ends the lane.
        const answer = await client.post('/v1/mails', { ...letter, externalId }).catch(() => null);
        if (!answer) return answers;
        answers.push(answer);
      }
    });
    await eventually(async () => expect(await stored()).toBeGreaterThan(0));

    const storedBefore = await stored();
    api?.program.kill('SIGTERM');
    const answers = (await Promise.all(sends)).flat();

    expect(await api?.program.ended).toBe(0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await stored()).toBe(answers.length);
    expect(answers.length).toBeGreaterThan(storedBefore);
    await expectInvariants();
  });

  test('an API exits with 0, because it waits neither for idle connections nor for an incomplete request', async () => {
    const { key } = await world.customer();
    const [api] = await startApis(world, 1);
    // Kept open for the next request, as a load balancer does.
    expect((await createClient(api?.url ?? '', key).get('/v1/wallet')).status).toBe(200);
    const sockets = await Promise.all(['', 'GET /v1/wallet HTTP/1.1\r\nHost: a'].map((text) => open(api?.url, text)));
    const answers: string[] = [];
    for (const socket of sockets) socket.on('data', (chunk) => answers.push(String(chunk)));
    api?.program.kill('SIGTERM');

    // A process that waits for one is ended after 28 s, with 1.
    expect(await api?.program.ended).toBe(0);
    await eventually(() => expect(sockets.every(({ closed }) => closed)).toBe(true));
    // No 408 either, which ends an incomplete request after 15 s.
    expect(answers).toEqual([]);
  });
});

async function open(url = '', text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // It is cut off, as the test expects.
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  return socket;
}
