import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createObjectHead, type ObjectHead } from '../../common/platform/head-object.ts';
import { StoreUnavailableError } from '../../common/platform/object-store-errors.ts';

type Headers = Record<string, string>;
type Asked = { method: string | undefined; path: string | undefined; headers: IncomingHttpHeaders };

const access = { region: 'eu-west-1', accessKeyId: 'AKIA/with+odd=chars', secretAccessKey: 'a secret of ours' };
const limits = { connectMs: 2_000, answerMs: 2_000, maxSockets: 4 };

describe('the HEAD of an object', () => {
  const asked: Asked[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer((request, response) => {
    asked.push({ method: request.method, path: request.url, headers: request.headers });
    answer(request, response);
  });
  let endpoint = '';
  const open: ObjectHead[] = [];
  const ask = (changes: Partial<typeof limits & { endpoint: string }> = {}) => {
    const head = createObjectHead({ ...access, bucket: 'letters', ...limits, endpoint, ...changes });
    open.push(head);
    return head.ask;
  };
  const found = (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { etag: '"1"', 'content-length': 5, 'content-type': 'application/pdf' }).end();

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    for (const head of open) head.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test.each(['u/org_1/letter', 'ü/../a b+c', "-_.!~*'()/;:@&=$,?#[]%"])(
    "given the key %s, when it is asked for, then path and signature are those of Amazon's client",
    async (key) => {
      answer = found;
      for (const prefix of ['', '/storage/']) {
        const url = new URL(endpoint + prefix);
        asked.length = 0;
        await ask({ endpoint: url.href })(key);
        const client = aClient(url.href);
        await client.send(new HeadObjectCommand({ Bucket: 'letters', Key: key }));
        const [ours, theirs] = asked;
        expect([ours?.method, ours?.path]).toEqual([theirs?.method, theirs?.path]);
        // Theirs signs more headers, which tell of the client: its signer, given ours, is the oracle.
        const {
          host = '',
          'x-amz-content-sha256': hash = '',
          'x-amz-date': date = '',
        } = (ours?.headers ?? {}) as Headers;
        const signer = await client.config.signer();
        const request = {
          ...url,
          method: 'HEAD',
          protocol: 'http:',
          hostname: host,
          path: ours?.path ?? '',
          query: {},
        };
        const signed = await signer.sign({ ...request, headers: { host, 'x-amz-content-sha256': hash } } as never, {
          signingDate: new Date(date.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5')),
        });
        expect(ours?.headers.authorization).toBe((signed as { headers: Headers }).headers.authorization);
        client.destroy();
      }
    },
  );

  test('given answers of the store, when an object is asked for, then they are handed on; connections are kept', async () => {
    const ports = new Set<number | undefined>();
    const asking = ask();
    for (const status of [200, 404, 403, 412]) {
      answer = (request, response) => {
        ports.add(request.socket.remotePort);
        response.writeHead(status, { etag: '"1"', 'content-length': 5 }).end();
      };
      expect(await asking('a')).toMatchObject({ status, headers: { etag: '"1"' } });
    }
    expect(ports.size).toBe(1);
  });

  test('given a store that fails once, when an object is asked for, then it is asked again', async () => {
    for (const failure of ['500', '503', '429', 'reset']) {
      let tries = 0;
      answer = (request, response) => {
        tries += 1;
        if (tries > 1) return found(request, response);
        if (failure === 'reset') request.socket.destroy();
        else response.writeHead(Number(failure)).end();
      };
      expect([failure, (await ask()('a')).status, tries]).toEqual([failure, 200, 2]);
    }
  });

  test('given a store that fails twice, is silent, or is away, when an object is asked for, then it is unavailable, in time', async () => {
    answer = (_, response) => void response.writeHead(503).end('no');
    await expect(ask()('a')).rejects.toThrow(
      new StoreUnavailableError('look an object up', { code: 'HTTP 503' }).message,
    );
    asked.length = 0;
    answer = () => {};
    const startedAt = performance.now();
    await expect(ask({ answerMs: 50 })('a')).rejects.toThrow('TimeoutError');
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(asked).toHaveLength(2);
    await expect(ask({ endpoint: 'http://127.0.0.1:1' })('a')).rejects.toThrow('ECONNREFUSED');
  });
});

function aClient(endpoint: string): S3Client {
  const { region, accessKeyId, secretAccessKey } = access;
  return new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });
}
