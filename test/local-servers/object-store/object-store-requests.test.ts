// Level: push
import { connect } from 'node:net';
import { CreateBucketCommand, GetObjectCommand, ListObjectsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, guardMs, test } from '#test/support/jest.ts';
import { errorCodeOf, sendRaw } from '#test/support/send-raw.ts';
import { startEmbeddedObjectStore } from '#test/support/servers/embedded-object-store.ts';
import { hello, pdf, startObjectStoreWorld } from '#test/support/servers/object-store-world.ts';

describe('requests to the embedded object store', () => {
  let storeTime = () => new Date();
  const clock = { now: () => storeTime() };
  const world = startObjectStoreWorld(() => startEmbeddedObjectStore({ clock }));
  const { newKey, sign, upload, download, sdkClient } = world;
  const named = (Key: string) => ({ Bucket: world.settings.bucket, Key });

  test('of 20 concurrent uploads of one key each is answered 200 and one is stored whole', async () => {
    const key = newKey();
    const bodies = Array.from({ length: 20 }, (_, n) => Buffer.from(`letter number ${n + 10}`));
    const answers = await Promise.all(bodies.map((body) => upload(key, body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(bodies).toContainEqual(await download(key));
  });

  test('a preflight from another origin allows the signed upload headers', async () => {
    const { url, headers } = await sign(newKey());
    const origin = 'https://app.example.com';
    const asked = {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,if-none-match',
    };
    const preflight = await sendRaw(url, { method: 'OPTIONS', headers: asked });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': expect.stringContaining('PUT'),
        'access-control-allow-headers': 'content-type,if-none-match',
      },
    });
    const put = await sendRaw(url, { method: 'PUT', headers: { ...headers, origin }, body: hello });
    expect(put).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } });
    expect(put.headers['access-control-expose-headers']).toContain('ETag');
  });

  test('a page of another origin may read a refusal', async () => {
    const refused = await sendRaw(`${world.settings.endpoint}/bluejay/x`, {
      method: 'GET',
      headers: { origin: 'null' },
    });
    expect(refused).toMatchObject({ status: 403, headers: { 'access-control-allow-origin': '*' } });
  });

  test('bytes beyond Content-Length are never stored', async () => {
    const key = newKey();
    const { url } = await sign(key);
    await speak(url, `${putHead(url, hello.length)}${hello} and more`);
    expect([undefined, hello.length]).toContain((await world.store.head(key))?.sizeBytes);
  });

  test('an upload with fewer bytes than Content-Length stores nothing', async () => {
    const key = newKey();
    const { url } = await sign(key);
    expect(await speak(url, `${putHead(url, hello.length)}hell`)).not.toContain('HTTP/1.1 200');
    expect(await world.store.head(key)).toBeNull();
  });

  test('a chunked upload without Content-Length is refused', async () => {
    const key = newKey();
    const signed = new PutObjectCommand({ ...named(key), ContentType: pdf });
    const url = await getSignedUrl(sdkClient(), signed, {
      expiresIn: 60,
      signableHeaders: new Set(['host', 'content-type']),
    });
    const head = putHead(url, 0).replace('content-length: 0', 'transfer-encoding: chunked');
    expect(await speak(url, `${head}5\r\nhello\r\n0\r\n\r\n`)).toContain('<Code>MissingContentLength</Code>');
    expect(await world.store.head(key)).toBeNull();
  });

  const strange: [string, number, string, (key: string) => Promise<unknown>][] = [
    ['a hashed body', 501, 'NotImplemented', (key) => put(key)],
    ['another region', 403, 'SignatureDoesNotMatch', (key) => put(key, { region: 'eu-west-1' })],
    ['another access key', 403, 'SignatureDoesNotMatch', (key) => put(key, { accessKeyId: 'other' })],
  ];
  test.each(strange)('a PUT with %s is refused with %d %s and stores nothing', async (_, status, code, send) => {
    const key = newKey();
    await expect(send(key)).rejects.toMatchObject({ name: code, $metadata: { httpStatusCode: status } });
    expect(await world.store.head(key)).toBeNull();
  });
  function put(key: string, changes = {}) {
    return sdkClient(changes).send(new PutObjectCommand({ ...named(key), Body: hello }));
  }

  test('a presigned PUT with an additional unsigned x-amz header is refused', async () => {
    const key = newKey();
    const { url, headers } = await sign(key);
    const added = { ...headers, 'x-amz-date': '20260101T000000Z' };
    expect(errorCodeOf(await sendRaw(url, { method: 'PUT', headers: added, body: hello }))).toBe('AccessDenied');
    expect(await world.store.head(key)).toBeNull();
  });

  test('a signed parameter with a second value, before or behind its own, is refused', async () => {
    const key = newKey();
    await upload(key);
    const url = new URL(await getSignedUrl(sdkClient(), new GetObjectCommand(named(key)), { expiresIn: 60 }));
    const get = async (query: string) =>
      errorCodeOf(await sendRaw(`${url.origin}${url.pathname}?${query}`, { method: 'GET' }));
    const own = url.search.slice(1);
    const names = [...url.searchParams.keys()];
    expect(names).toContain('X-Amz-Expires');
    for (const name of [...names, 'X%2DAmz-Date']) {
      const added = `${name}=604800`;
      expect([name, await get(`${added}&${own}`), await get(`${own}&${added}`)]).toEqual([
        name,
        'SignatureDoesNotMatch',
        'SignatureDoesNotMatch',
      ]);
    }
  });

  // Not in the contract: a store that keeps its objects in folders of a file system refuses such a pair of keys.
  test('an object may be named like the folder of another, and both are listed', async () => {
    const key = newKey();
    await upload(key);
    await upload(`${key}/page`);
    const listed = await Array.fromAsync(world.store.list(key));
    expect(listed.map((object) => object.key)).toEqual([key, `${key}/page`]);
  });

  test('creating the bucket, and listing it as in 2006, is refused as unsupported', async () => {
    const made = sdkClient().send(new CreateBucketCommand({ Bucket: 'bluejay' }));
    await expect(made).rejects.toMatchObject({ name: 'MethodNotAllowed' });
    const listed = sdkClient().send(new ListObjectsCommand({ Bucket: 'bluejay' }));
    await expect(listed).rejects.toMatchObject({ name: 'MethodNotAllowed' });
  });

  test.each([
    ['signed headers', 16, 'RequestTimeTooSkewed'],
    ['signed headers', -16, 'RequestTimeTooSkewed'],
    ['signed headers', 14, null],
    ['an address of an hour', 59, null],
    ['an address of an hour', 61, 'AccessDenied'],
    ['an address of an hour', -16, 'RequestTimeTooSkewed'],
  ])('%s, used with a clock difference of %d minutes: %s', async (form, laterMin, code) => {
    const key = newKey();
    await upload(key);
    const read = new GetObjectCommand(named(key));
    storeTime = () => new Date(Date.now() + laterMin * 60_000);
    try {
      if (form === 'signed headers') {
        const got = sdkClient().send(read);
        await (code ? expect(got).rejects.toMatchObject({ name: code }) : got);
      } else {
        const url = await getSignedUrl(sdkClient(), read, { expiresIn: 3_600 });
        expect(errorCodeOf(await sendRaw(url, { method: 'GET' }))).toBe(code);
      }
    } finally {
      storeTime = () => new Date();
    }
  });

  const malformed = ['/%FF', '/bluejay/%zz', '*', 'http://elsewhere/bluejay/x'];
  test.each(malformed)('the malformed URL %s is answered 400', async (path) => {
    const answer = await speak(world.settings.endpoint, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(answer).toContain('<Code>InvalidURI</Code>');
  });
});

/** Returns the request head of an upload for a raw socket. */
function putHead(url: string, sizeBytes: number): string {
  const { pathname, search, host } = new URL(url);
  const lines = [`PUT ${pathname}${search} HTTP/1.1`, `host: ${host}`, `content-type: ${pdf}`];
  return [...lines, `content-length: ${sizeBytes}`, '', ''].join('\r\n');
}

/** Sends `text`, ends the sending half, and returns all that comes back. */
async function speak(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), signal: AbortSignal.timeout(guardMs) } as never);
  socket.end(text);
  return Buffer.concat(await socket.toArray()).toString();
}
