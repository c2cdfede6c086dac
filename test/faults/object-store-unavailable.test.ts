// Level: unit
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { toAppError } from '#api/middleware/error-handler.ts';
import { StoreUnavailableError } from '#common/platform/s3/object-store-errors.ts';
import { createObjectStoreClient, type ObjectStore } from '#common/platform/s3/s3.ts';
import type { StoreTimeouts } from '#common/platform/s3/send-request.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { afterEach, beforeEach, describe, eventually, expect, jest, test, useTempFolders } from '../support/jest.ts';

describe('the client of a faulty object store', () => {
  let server: Server | undefined;
  let store: ObjectStore;
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await newFolder();
    path = join(folder, 'fetched');
  });
  afterEach(async () => {
    store.close();
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
  });
  const newFolder = useTempFolders();

  function connectTo(port: number, changes: Partial<StoreTimeouts> = {}) {
    const endpoint = `http://127.0.0.1:${port}`;
    const access = { bucket: 'bluejay', region: 'us-east-1', accessKeyId: 'key', secretAccessKey: 'secret' };
    store = createObjectStoreClient({ ...access, endpoint, publicEndpoint: endpoint }, changes);
  }
  async function connectToServer(answer: RequestListener, changes: Partial<StoreTimeouts> = {}) {
    const listening = createServer(answer);
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    connectTo((listening.address() as AddressInfo).port, changes);
  }
  const fetchFile = () => store.getToFile({ key: 'letter', path, ifMatch: '"1"', maxBytes: 1_000 });
  async function putFile(sizeBytes: number) {
    const source = join(folder, 'source');
    await writeFile(source, Buffer.alloc(sizeBytes));
    try {
      await store.putFile({ key: 'letter', path: source, contentType: 'application/pdf' });
    } finally {
      await rm(source);
    }
  }
  const works: [string, () => Promise<unknown>][] = [
    ['head', () => store.head('letter')],
    ['getToFile', fetchFile],
    ['putFile', () => putFile(1_000)],
    ['delete', () => store.delete('letter')],
    ['check', () => store.check()],
    ['ensureBucket', () => store.ensureBucket()],
  ];

  test.each(works)('%s reports an unreachable store as unavailable', async (_, work) => {
    connectTo(await findFreePort());
    await expect(work()).rejects.toThrow(StoreUnavailableError);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([400, 403, 500, 503])('every call reports a store that answers %d as unavailable', async (status) => {
    await connectToServer((request, response) => request.resume().on('end', () => response.writeHead(status).end()));
    for (const [, work] of works) {
      await expect(work()).rejects.toThrow(StoreUnavailableError);
      await expect(work()).rejects.toThrow(`HTTP ${status}`);
      await work().catch((error) => expect(toAppError(error).code).toBe('SERVICE_UNAVAILABLE'));
    }
    expect(await readdir(folder)).toEqual([]);
  });

  test('a look-up on a silent store ends after two attempts of the time for an answer', async () => {
    let attempts = 0;
    await connectToServer(() => {}, { answerMs: 50 });
    // Not requests: on a busy machine, the time for one can be over before it is read.
    server?.on('connection', () => {
      attempts += 1;
    });
    await expect(store.head('letter')).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      cause: { message: expect.stringContaining('exceeded the configured 50 ms requestTimeout') },
    });
    await eventually(() => expect(attempts).toBe(2));
  });

  test('by default, it waits 2 s to connect and for an answer, 20 s in a transfer, 30 s to store', async () => {
    const handle = jest.spyOn(NodeHttpHandler.prototype, 'handle');
    try {
      await connectToServer(({ method }, response) => response.writeHead(method === 'PUT' ? 200 : 404).end());
      await store.ensureBucket();
      const answerMs = handle.mock.calls.map(([{ method }, options]) => [method, options?.requestTimeout]);
      expect(answerMs).toEqual([
        ['HEAD', 2_000],
        ['PUT', 30_000],
      ]);
      const used = handle.mock.contexts[0] as NodeHttpHandler;
      expect(used.httpHandlerConfigs()).toMatchObject({ connectionTimeout: 2_000, socketTimeout: 20_000 });
    } finally {
      handle.mockRestore();
    }
  });

  test('an incomplete download reports the store as unavailable and leaves no file', async () => {
    await connectToServer((_, response) => {
      response.writeHead(200, { etag: '"1"', 'content-length': 100 });
      response.write('half a letter', () => response.destroy());
    });
    await expect(fetchFile()).rejects.toThrow(StoreUnavailableError);
    expect(await readdir(folder)).toEqual([]);
  });

  test('a transfer that stalls midway is ended by the idle time', async () => {
    const standStill: RequestListener = (request, response) => {
      request.pause();
      if (request.method === 'GET') response.writeHead(200, { etag: '"1"', 'content-length': 100 }).write('half');
    };
    await connectToServer(standStill, { idleMs: 100 });
    for (const work of [fetchFile, () => putFile(20_000_000)])
      await expect(work()).rejects.toMatchObject({
        name: 'StoreUnavailableError',
        cause: { message: expect.stringContaining('100 ms of inactivity') },
      });
    expect(await readdir(folder)).toEqual([]);
  });

  test('a trickling download is ended by its total time, 30 s and a second per MiB', async () => {
    const total = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(total.signal);
    let drops = 0;
    let drip: NodeJS.Timeout | undefined;
    const sendSlowly: RequestListener = (_, response) => {
      response.writeHead(200, { etag: '"1"', 'content-length': 1_000 });
      drip = setInterval(() => {
        response.write('x');
        drops += 1;
      }, 20);
    };
    try {
      await connectToServer(sendSlowly);
      const failed = expect(fetchFile()).rejects.toThrow(StoreUnavailableError);
      await eventually(() => expect(drops).toBeGreaterThan(3));
      total.abort();
      await failed;
      expect(timeout.mock.calls).toEqual([[31_000]]);
    } finally {
      clearInterval(drip);
      timeout.mockRestore();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  test('a disk error during a transfer is thrown unchanged', async () => {
    await connectToServer((_, response) => response.writeHead(200, { etag: '"1"', 'content-length': 1 }).end('x'));
    await mkdir(path);
    await expect(fetchFile()).rejects.toMatchObject({ code: 'EEXIST' });
    const unreadable = { key: 'letter', contentType: 'application/pdf' };
    await expect(store.putFile({ ...unreadable, path: join(folder, 'none') })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await expect(store.putFile({ ...unreadable, path })).rejects.toMatchObject({ code: 'EISDIR' });
  });

  test('an upload is signed while the store is unreachable', async () => {
    connectTo(await findFreePort());
    const put = { key: 'letter', contentType: 'application/pdf', sizeBytes: 1, expiresInS: 600, at: new Date() };
    expect((await store.presignPut(put)).url).toContain('/bluejay/letter?');
  });
});
