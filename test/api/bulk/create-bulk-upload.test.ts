// Level: push
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('POST /v1/bulk/uploads', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());
  const ask = (change: object) =>
    customer.http.post('/v1/bulk/uploads', { filename: 'a.csv', mimeType: 'text/csv', sizeBytes: 10, ...change });

  test('a list of up to 100 MB gets a URL; other types and larger files do not', async () => {
    const { status, body } = await ask({ sizeBytes: 100 * 1024 * 1024 });
    expect([status, body.headers]).toEqual([200, expect.objectContaining({ 'content-type': 'text/csv' })]);
    const refused = [{ mimeType: 'application/pdf' }, { sizeBytes: 100 * 1024 * 1024 + 1 }, { filename: '' }];
    expect((await Promise.all(refused.map(ask))).map((answer) => answer.status)).toEqual([400, 400, 400]);
  });

  test('a list is no document of a letter', async () => {
    const { body } = await ask({});
    const list = 'Naam;Stad\n';
    const put = await fetch(body.uploadUrl, { method: 'PUT', headers: body.headers, body: list });
    expect(put.status).toBe(200);
    const sent = await customer.send({ files: [{ s3Key: body.s3Key }] });
    expect([sent.status, sent.body.issues]).toEqual([
      400,
      [{ path: ['files', 0, 's3Key'], message: expect.stringContaining('No upload of yours') }],
    ]);
  });
});
