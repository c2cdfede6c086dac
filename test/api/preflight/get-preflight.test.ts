// Level: push
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/preflight/{id}', () => {
  const world = startWorld({ hasWorkers: true });
  const customer = openOnce(() => world.customer({ mode: 'live' }));

  test('nothing is debited, and others cannot check the file', async () => {
    const files = [{ s3Key: await upload(customer, await aPdf(1)) }];
    expect((await customer.http.post('/v1/preflight', { files })).status).toBeLessThan(300);
    expect(await customer.balanceCents()).toBe(0);
    const stranger = await world.customer({ mode: 'live' });
    expect((await stranger.http.post('/v1/preflight', { files })).body.code).toBe('VALIDATION_ERROR');
  });
});
