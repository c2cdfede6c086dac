import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeServer, listen } from '../../common/platform/metrics.ts';
import { findFreePort } from '../../scripts/local-servers/ports.ts';
import { aLetter } from '../support/builders.ts';
import { openEventSource } from '../support/event-source.ts';
import { killStartedPrograms } from '../support/process-control.ts';
import { startProductProcess } from '../support/product-process.ts';
import { startReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

const stopsWithinMs = 28_000;

describe('a process that is told to end', () => {
  const world = startWorld({ hasOwnRedis: true });
  const receiver = startReceiver();
  afterEach(killStartedPrograms);

  test('given workers in the middle of a delivery, when they get SIGTERM, then it is finished and recorded, and they exit with 0', async () => {
    const customer = await world.customer();
    await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const workers = await startProductProcess('workers/main.ts', world.environment);
    const { promise: hasCome, resolve: come } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    receiver.answerWith(async () => {
      come();
      await mayAnswer;
      return 200;
    });
    await customer.http.post('/v1/mails', await aLetter(customer));
    await hasCome;

    workers.kill('SIGTERM');
    answer();

    expect(await workers.ended).toBe(0);
    expect(receiver.received).toHaveLength(1);
  }, 40_000);

  test('given a Redis that is away, when the workers get SIGTERM, then they exit with 0 within 28 s', async () => {
    const workers = await startProductProcess('workers/main.ts', world.environment);
    await world.ownRedis?.stop();
    const startedAt = performance.now();

    workers.kill('SIGTERM');

    expect(await workers.ended).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(stopsWithinMs);
    await world.ownRedis?.start();
  }, 60_000);

  test('given an API that serves, when it gets SIGTERM, then it exits with 0', async () => {
    const api = await startProductProcess('api/server.ts', world.environment);
    api.kill('SIGTERM');
    expect(await api.ended).toBe(0);
  }, 40_000);

  test('given an API with an open stream of events, when it gets SIGTERM, then the stream ends and it exits with 0 at once', async () => {
    const { key } = await world.customer();
    const port = await findFreePort();
    const environment = { ...world.environment, PORT: String(port), WEB_PORT: '0', METRICS_PORT: '0' };
    const api = await startProductProcess('api/server.ts', environment);
    const source = await openEventSource(`http://127.0.0.1:${port}/v1/events/stream`, key);
    expect(source.status).toBe(200);
    const startedAt = performance.now();

    api.kill('SIGTERM');

    expect(await api.ended).toBe(0);
    // Nobody waits for the next sign of life, which comes after 15 s.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(source.hasEnded()).toBe(true);
  }, 40_000);

  test('given a port that is taken, when the API starts, then it says so in one sentence and exits with 1', async () => {
    const blocker = createServer();
    const port = await listen(blocker, 0);
    const environment = { ...world.environment, PORT: String(port), WEB_PORT: '0', METRICS_PORT: '0' };
    const api = startProductProcess('api/server.ts', environment);
    await expect(api).rejects.toThrow(`Port ${port} is in use. Set PORT, WEB_PORT or METRICS_PORT to a free one.`);
    await closeServer(blocker);
  }, 40_000);
});
