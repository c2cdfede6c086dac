import { connect } from 'node:net';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, test } from '@jest/globals';
import { startEmbeddedObjectStore } from '../support/embedded-object-store.ts';
import { hello, pdf, startObjectStoreWorld } from '../support/object-store-world.ts';
import { errorCodeOf, sendRaw } from '../support/send-raw.ts';

const maxObjectBytes = 1_000_000;

describe('what the embedded object store asks of a request', () => {
  let storeTime = () => new Date();
  const clock = { now: () => storeTime() };
  const world = startObjectStoreWorld(() => startEmbeddedObjectStore({ maxObjectBytes, clock }));
  const { newKey, sign, upload, download, sdkClient } = world;
  const uploadNew = (key: string, body: Buffer<ArrayBuffer>) => {
    const { url, headers } = sign(key, { body });
    return sendRaw(url, { method: 'PUT', headers: { ...headers, 'if-none-match': '*' }, body });
  };
  const named = (Key: string) => ({ Bucket: world.settings.bucket, Key });

  test('given 20 uploads at once on the condition that there is none, when all are answered, then one is stored and 19 get 412', async () => {
    const key = newKey();
    const bodies = Array.from({ length: 20 }, (_, n) => Buffer.from(`letter number ${n + 10}`));
    const answers = await Promise.all(bodies.map((body) => uploadNew(key, body)));
    const winners = bodies.filter((_, n) => answers[n]?.status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
    expect(await download(key)).toEqual(winners[0]);
  });

  test('given a page of another origin, when it asks before an upload, then it may send what is signed', async () => {
    const { url, headers } = sign(newKey());
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

  test('given a refusal, when it is read by a page, then the page may see it', async () => {
    const refused = await sendRaw(`${world.settings.endpoint}/bluejay/x`, {
      method: 'GET',
      headers: { origin: 'null' },
    });
    expect(refused).toMatchObject({ status: 403, headers: { 'access-control-allow-origin': '*' } });
  });

  test('given more bytes than announced, when they are sent, then never more than announced is stored', async () => {
    const key = newKey();
    const { url } = sign(key);
    await speak(url, `${putHead(url, hello.length)}${hello} and more`);
    expect([undefined, hello.length]).toContain((await world.store.head(key))?.sizeBytes);
  });

  test('given fewer bytes than announced, when the sender stops, then nothing is stored', async () => {
    const key = newKey();
    const { url } = sign(key);
    expect(await speak(url, `${putHead(url, hello.length)}hell`)).not.toContain('HTTP/1.1 200');
    expect(await world.store.head(key)).toBeNull();
  });

  test('given no announced length, when a file is sent in chunks, then it is refused', async () => {
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

  test('given a file over the limit of the store, when it is put, then EntityTooLarge', async () => {
    const key = newKey();
    const answer = await upload(key, Buffer.alloc(maxObjectBytes + 1));
    expect([answer.status, errorCodeOf(answer)]).toEqual([400, 'EntityTooLarge']);
    expect(await upload(key, Buffer.alloc(maxObjectBytes))).toMatchObject({ status: 200 });
  });

  const strange: [string, number, string, (key: string) => Promise<unknown>][] = [
    ['a body signed in chunks', 501, 'NotImplemented', (key) => withHeader('STREAMING-AWS4-HMAC-SHA256-PAYLOAD', key)],
    ['no word on the body', 403, 'AccessDenied', (key) => withHeader('', key)],
    ['metadata of its own', 501, 'NotImplemented', (key) => put(key, { Metadata: { kept: 'no' } })],
    ['a wrong Content-MD5', 400, 'BadDigest', (key) => put(key, { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' })],
    ['an object that must be there', 404, 'NoSuchKey', (key) => put(key, { IfMatch: '"x"' })],
    ['another region', 400, 'AuthorizationHeaderMalformed', (key) => put(key, {}, { region: 'eu-west-1' })],
    ['another access key', 403, 'InvalidAccessKeyId', (key) => put(key, {}, { accessKeyId: 'other' })],
    ['a key of 1,025 bytes', 400, 'KeyTooLongError', (key) => put(key.padEnd(1_025, 'x'))],
  ];
  test.each(strange)(
    'given %s, when an object is put, then %d %s and nothing is stored',
    async (_, status, code, send) => {
      const key = newKey();
      await expect(send(key)).rejects.toMatchObject({ name: code, $metadata: { httpStatusCode: status } });
      expect(await world.store.head(key)).toBeNull();
    },
  );
  function put(key: string, more = {}, changes = {}) {
    return sdkClient(changes).send(new PutObjectCommand({ ...named(key), Body: hello, ...more }));
  }
  function withHeader(hash: string, key: string) {
    const client = sdkClient();
    client.middlewareStack.add(
      (next) => (args) => {
        (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = hash;
        return next(args);
      },
      { step: 'build' },
    );
    return client.send(new PutObjectCommand({ ...named(key), Body: hello }));
  }

  test("given a signed address, when one of Amazon's headers is added that was not signed, then it is refused", async () => {
    const key = newKey();
    const { url, headers } = sign(key);
    const added = { ...headers, 'x-amz-date': '20260101T000000Z' };
    expect(errorCodeOf(await sendRaw(url, { method: 'PUT', headers: added, body: hello }))).toBe('AccessDenied');
    expect(await world.store.head(key)).toBeNull();
  });

  test('given the bucket itself, when it is made or listed, then it is told that this store cannot', async () => {
    const made = sdkClient().send(new CreateBucketCommand({ Bucket: 'bluejay' }));
    await expect(made).rejects.toMatchObject({ name: 'MethodNotAllowed' });
    const listed = sdkClient().send(new ListObjectsV2Command({ Bucket: 'bluejay' }));
    await expect(listed).rejects.toMatchObject({ name: 'NotImplemented' });
  });

  test.each([
    ['signed headers', 16, 'RequestTimeTooSkewed'],
    ['signed headers', -16, 'RequestTimeTooSkewed'],
    ['signed headers', 14, null],
    ['an address of an hour', 59, null],
    ['an address of an hour', 61, 'AccessDenied'],
    ['an address of an hour', -16, 'RequestTimeTooSkewed'],
  ])('given %s, when the store thinks it is %d minutes later, then %s', async (form, laterMin, code) => {
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

  test.each(['/%FF', '/bluejay/%zz', '*', 'http://elsewhere/bluejay/x'])(
    'given the address %s, when it is asked for, then 400',
    async (path) => {
      const answer = await speak(
        world.settings.endpoint,
        `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      );
      expect(answer).toContain('<Code>InvalidURI</Code>');
    },
  );
});

/** The head of an upload, to be spoken by hand. */
function putHead(url: string, sizeBytes: number): string {
  const { pathname, search, host } = new URL(url);
  const lines = [`PUT ${pathname}${search} HTTP/1.1`, `host: ${host}`, `content-type: ${pdf}`];
  return [...lines, `content-length: ${sizeBytes}`, '', ''].join('\r\n');
}

/** Sends `text`, ends the sending half, and returns all that comes back. */
async function speak(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), signal: AbortSignal.timeout(10_000) } as never);
  socket.end(text);
  return Buffer.concat(await socket.toArray()).toString();
}
