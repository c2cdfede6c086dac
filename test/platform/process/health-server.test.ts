// Level: unit
import { Registry } from 'prom-client';
import { createLog } from '#common/platform/process/log.ts';
import { startHealthServer } from '#common/platform/process/metrics.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { sendRaw } from '#test/support/send-raw.ts';

describe('the internal port', () => {
  const checks = { ready: { mongo: () => true } };
  const log = createLog('test', 'silent');
  const options = { port: 0, host: '127.0.0.1', registry: new Registry(), checks, log };
  const health = openOnce(() => startHealthServer(options));
  const ask = (path: string, method: string) => sendRaw(`http://127.0.0.1:${health.port}${path}`, { method });

  const paths = ['/metrics', '/healthz', '/readyz'];
  test.each(paths)('GET %s has a body, and HEAD the same headers without it', async (path) => {
    const [got, head] = [await ask(path, 'GET'), await ask(path, 'HEAD')];
    expect([got.status, head.status, head.body.length]).toEqual([200, 200, 0]);
    expect(head.headers['content-type']).toBe(got.headers['content-type']);
  });

  const methods = ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];
  test.each(methods)('%s is answered 405 with Allow: GET, HEAD', async (method) => {
    for (const path of ['/metrics', '/readyz', '/elsewhere']) {
      const { status, headers } = await ask(path, method);
      expect([path, status, headers.allow]).toEqual([path, 405, 'GET, HEAD']);
    }
  });

  test('a store that is down, or does not answer, is reported as such beside the others', async () => {
    const registry = new Registry();
    const hanging = new Promise<boolean>(() => {});
    const stores = { ready: { mongo: () => true }, degraded: { redis: () => false, store: () => hanging } };
    const watched = await startHealthServer({ ...options, registry, checks: stores });
    const text = await registry.metrics();
    for (const line of ['mongo"} 1', 'redis"} 0', 'store"} 0']) {
      expect(text).toContain(`dependency_up{dependency="${line}\n`);
    }
    await watched.close();
  });

  test('it listens only on the given address', async () => {
    const elsewhere = fetch(`http://127.0.0.2:${health.port}/healthz`);
    await expect(elsewhere).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});
