// Level: unit
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createBucketRequests } from '#common/platform/s3/bucket-request.ts';
import { createObjectStoreClient, type ObjectStore } from '#common/platform/s3/s3.ts';
import type { StoreTimeouts } from '#common/platform/s3/send-request.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#test/support/jest.ts';

type Headers = Record<string, string>;
type Asked = { method?: string | undefined; path: string; headers: IncomingHttpHeaders; body: string };

const access = { region: 'eu-west-1', accessKeyId: 'AKIA/with+odd=chars', secretAccessKey: 'a secret of ours' };
const oddKeys = ['u/org_1/letter', 'ü/../a b+c', "-_.!~*'()/;:@&=$,?#[]%"];

describe('requests to the object store', () => {
  const asked: Asked[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    asked.push({
      method: request.method,
      path: (request.url ?? '').replace(/\?.*/, ''),
      headers: request.headers,
      body,
    });
    answer(request, response);
  });
  let endpoint = '';
  let folder: string;
  const open: { close(): void }[] = [];
  const connect = (
    changes: Partial<StoreTimeouts & { endpoint: string; region: string; sessionToken: string }> = {},
  ): ObjectStore => {
    const settings = { ...access, bucket: 'letters', endpoint, publicEndpoint: endpoint, ...changes };
    const store = createObjectStoreClient(settings, changes);
    open.push(store);
    return store;
  };
  const found = (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { etag: '"1"', 'content-length': 5, 'content-type': 'application/pdf' }).end('hello');
  const refuse = (status: number, code: string) => (_: IncomingMessage, response: ServerResponse) => {
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;
    response.writeHead(status, { 'content-length': body.length }).end(body);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'send-request-'));
    await writeFile(join(folder, 'letter'), 'hello');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked.length = 0;
    answer = found;
  });
  afterAll(async () => {
    for (const store of open) store.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  test.each(oddKeys)("path and signature for the key %s equal those of Amazon's client", async (key) => {
    for (const prefix of ['', '/storage/']) {
      const [store, client] = [connect({ endpoint: endpoint + prefix }), aClient(endpoint + prefix)];
      const named = { Bucket: 'letters', Key: key };
      await store.head(key);
      await client.send(new HeadObjectCommand(named));
      await store.getToFile({ key, path: join(folder, randomUUID()), maxBytes: 5 });
      await (await client.send(new GetObjectCommand(named))).Body?.transformToByteArray();
      await store.delete(key);
      await client.send(new DeleteObjectCommand(named));
      await store.check();
      await client.send(new HeadBucketCommand({ Bucket: 'letters' }));
      for (let n = 0; n < asked.length; n += 2) {
        const [ours, theirs] = [asked[n], asked[n + 1]];
        expect([ours?.method, ours?.path]).toEqual([theirs?.method, theirs?.path]);
        expect(ours?.headers.authorization).toBe(await signedByAmazon(client, ours));
      }
      asked.length = 0;
      client.destroy();
    }
  });

  test('a bucket in the host is named there and not in the path', () => {
    const url = 'https://files.example.com:9000';
    const toHttp = createBucketRequests({ ...access, endpoint: url, bucket: 'letters', forcePathStyle: false });
    expect(toHttp({ method: 'HEAD', key: 'a b' })).toMatchObject({
      ...{ hostname: 'letters.files.example.com', port: 9000, path: '/a%20b' },
      headers: { host: 'letters.files.example.com:9000' },
    });
  });

  test('a session token is sent and signed', async () => {
    await connect({ sessionToken: 'a token' }).check();
    expect(asked[0]?.headers).toMatchObject({
      'x-amz-security-token': 'a token',
      authorization: expect.stringContaining('SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token'),
    });
  });

  test('a file is streamed with its length, its type and an unsigned body', async () => {
    const { etag, sizeBytes } = await connect().putFile({
      ...{ key: 'a', path: join(folder, 'letter'), contentType: 'image/png' },
    });
    expect([etag, sizeBytes]).toEqual(['"1"', 5]);
    expect(asked).toMatchObject([{ method: 'PUT', path: '/letters/a', body: 'hello' }]);
    expect(asked[0]?.headers).toMatchObject({
      'content-length': '5',
      'content-type': 'image/png',
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    });
  });

  test.each(['us-east-1', 'eu-west-1'])("a bucket in %s is created as by Amazon's client, once", async (region) => {
    answer = (request, response) => void response.writeHead(request.method === 'HEAD' ? 404 : 200).end();
    const client = aClient(endpoint, region);
    await connect({ region }).ensureBucket();
    await client.send(new CreateBucketCommand({ Bucket: 'letters' }));
    const [, ours, theirs] = asked;
    expect(ours).toMatchObject({ method: 'PUT', path: '/letters/' });
    expect([theirs?.path, theirs?.body.replace(/^<\?xml.*?\?>/, '')]).toEqual([ours?.path, ours?.body]);
    client.destroy();
    answer = (request, response) =>
      request.method === 'HEAD'
        ? void response.writeHead(404).end()
        : refuse(409, 'BucketAlreadyOwnedByYou')(request, response);
    await connect().ensureBucket();
    answer = found;
    await connect().ensureBucket();
    expect(asked.filter(({ method }) => method === 'PUT')).toHaveLength(3);
  });

  test('successive requests share one connection', async () => {
    const ports = new Set<number | undefined>();
    const store = connect();
    for (let n = 0; n < 4; n += 1) {
      for (const respond of [found, refuse(404, 'NoSuchKey'), refuse(403, 'AccessDenied')]) {
        answer = (request, response) => {
          ports.add(request.socket.remotePort);
          respond(request, response);
        };
        await store.head('a').catch(() => null);
      }
    }
    expect(ports.size).toBe(1);
  });

  test.each(['500', '503', '429', 'reset'])('HEAD, GET and DELETE are repeated once after %s', async (failure) => {
    let tries = 0;
    answer = (request, response) => {
      tries += 1;
      if (tries % 2 === 0) return found(request, response);
      if (failure === 'reset') request.socket.destroy();
      else response.writeHead(Number(failure)).end();
    };
    const store = connect();
    const path = join(folder, `after-${failure}`);
    expect(await store.head('a')).toMatchObject({ sizeBytes: 5, etag: '"1"' });
    await store.getToFile({ key: 'a', path, maxBytes: 5 });
    await store.delete('a');
    expect([tries, await readFile(path, 'utf8')]).toEqual([6, 'hello']);
  });

  test('a file is sent once, also when the store fails', async () => {
    answer = refuse(503, 'SlowDown');
    const put = connect().putFile({ key: 'a', path: join(folder, 'letter'), contentType: 'application/pdf' });
    await expect(put).rejects.toThrow('The object store failed to store a file (HTTP 503, SlowDown).');
    expect(asked).toHaveLength(1);
  });

  test('a missing bucket is not reported as a missing object', async () => {
    answer = refuse(404, 'NoSuchBucket');
    const fetched = connect().getToFile({ key: 'a', path: join(folder, 'none'), maxBytes: 5 });
    await expect(fetched).rejects.toThrow('HTTP 404, NoSuchBucket');
    await expect(connect().delete('a')).rejects.toThrow('HTTP 404, NoSuchBucket');
  });
});

function aClient(endpoint: string, region = access.region): S3Client {
  const { accessKeyId, secretAccessKey } = access;
  return new S3Client({
    ...{ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } },
    ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
  });
}

/** Amazon's client signs more headers. Its signer, given our headers, returns what our authorization must be. */
async function signedByAmazon(client: S3Client, { method, path, headers }: Asked = failed()): Promise<string> {
  const { host = '', 'x-amz-content-sha256': hash = '', 'x-amz-date': date = '' } = headers as Headers;
  const signer = await client.config.signer();
  const request = { method, protocol: 'http:', hostname: host, path, query: {} };
  const signingDate = new Date(date.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'));
  const signed = await signer.sign({ ...request, headers: { host, 'x-amz-content-sha256': hash } } as never, {
    signingDate,
  });
  return (signed as { headers: Headers }).headers.authorization ?? '';
}

function failed(): never {
  throw new Error('There was no request.');
}
