// Level: ci
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { afterAll, byLevel, describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { aLetter, createClient } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openTraceCollector } from '#test/support/servers/trace-collector.ts';

describe('a collector of traces that is away', () => {
  const world = startWorld();
  const hanging = openOnce(async () => {
    const collector = await openTraceCollector();
    collector.hang();
    return collector;
  });
  afterAll(killStartedPrograms);

  async function startApi(endpoint: string) {
    const port = await findFreePort();
    const environment = {
      ...{ ...world.environment, PORT: String(port), WEB_PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'info' },
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    };
    const api = await startProductProcess('api/server.ts', environment);
    const { key, ...customer } = await world.customer();
    return { api, customer: { ...customer, http: createClient(`http://127.0.0.1:${port}`, key) } };
  }

  const neverAnswers = ['never answers', async () => hanging.url] as const;
  const refuses = ['refuses connections', async () => `http://127.0.0.1:${await findFreePort()}`] as const;
  test.each(byLevel({ quick: [neverAnswers], full: [refuses, neverAnswers] }))(
    'that %s delays neither letters nor the end of a process',
    async (_what, endpoint) => {
      const { api, customer } = await startApi(await endpoint());
      for (let count = 0; count < 3; count += 1) {
        expect((await customer.http.post('/v1/mails', await aLetter(customer))).status).toBe(201);
      }
      api.kill('SIGTERM');
      expect(await api.ended).toBe(0);
      // Its own deadline ends the waiting, before that of the exporter and that of the shutdown.
      await eventually(() => expect(api.output()).toContain('"msg":"traces not sent, no time left"'));
      expect(api.output()).not.toMatch(/"level":"(error|fatal)"/);
    },
  );
});
