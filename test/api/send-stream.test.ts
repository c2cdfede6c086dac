// Level: unit
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import { createErrorHandler } from '#api/middleware/error-handler.ts';
import { createRequestContext } from '#api/middleware/request-context.ts';
import { stream } from '#api/route.ts';
import { sendStream } from '#api/send-stream.ts';
import { webErrorHandler } from '#api/web/framework/web-error.ts';
import { AppError } from '#common/errors.ts';
import { createLog } from '#common/platform/process/log.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { beforeEach, describe, eventually, expect, openOnce, test, useTempFolders } from '../support/jest.ts';
import { sendRaw } from '../support/send-raw.ts';

type Line = { level: string; msg: string; status?: number };

describe('a streamed response', () => {
  let made = 0;
  let ended = 0;
  const observed: number[] = [];
  const piece = 'x'.repeat(16_384);

  /** Yields `count` chunks, then ends or throws. */
  async function* pieces(count: number, failure?: Error): AsyncGenerator<string> {
    try {
      for (made = 0; made < count; made += 1) yield piece;
      if (failure) throw failure;
    } finally {
      ended += 1;
    }
  }
  const answers: Record<string, () => AsyncGenerator<string>> = {
    '/whole': () => pieces(100),
    '/empty': () => pieces(0),
    '/endless': () => pieces(1_000_000),
    '/fails-first': () => pieces(0, new AppError('NOT_FOUND')),
    '/fails-later': () => pieces(50, new Error('the database is gone')),
  };

  const app = express();
  const metrics = { observe: ({ status }: { status: number }) => void observed.push(status) };
  app.use(createRequestContext({ log: createLog('test', 'silent'), metrics }));
  app.get('/{*name}', async (incoming, response) => {
    const chunks = answers[incoming.path]?.() ?? pieces(0);
    await sendStream(incoming, response, { contentType: 'text/csv', filename: undefined, chunks });
  });
  app.use(createErrorHandler('http://localhost'));
  const host = openOnce(async () => {
    const server = createServer(app);
    return { url: `http://127.0.0.1:${await listen(server, 0)}`, close: () => closeServer(server) };
  });

  test('GET receives the whole stream, HEAD only the headers', async () => {
    const whole = await sendRaw(`${host.url}/whole`, { method: 'GET' });
    expect([whole.status, whole.body.length, whole.headers['transfer-encoding']]).toEqual([
      200,
      100 * 16_384,
      'chunked',
    ]);
    expect((await sendRaw(`${host.url}/empty`, { method: 'GET' })).body).toHaveLength(0);
    const before = ended;
    const head = await sendRaw(`${host.url}/endless`, { method: 'HEAD' });
    expect([head.status, head.headers['content-type'], made]).toEqual([200, 'text/csv; charset=utf-8', 0]);
    expect(ended).toBe(before + 1);
  });

  test('an error before the first chunk is a normal error response', async () => {
    const { status, headers, body } = await sendRaw(`${host.url}/fails-first`, { method: 'GET' });
    expect([status, headers['content-type'], JSON.parse(body.toString()).code]).toEqual([
      404,
      'application/json; charset=utf-8',
      'NOT_FOUND',
    ]);
  });

  test('a later error aborts the connection, so the response is not taken for complete', async () => {
    await expect(sendRaw(`${host.url}/fails-later`, { method: 'GET' })).rejects.toMatchObject({ code: 'ECONNRESET' });
    await eventually(() => expect(observed.at(-1)).toBe(499));
    expect(made).toBe(50);
  });

  test('backpressure pauses the generator and a disconnect stops it', async () => {
    const before = ended;
    const sent = request(`${host.url}/endless`, { agent: false });
    sent.on('error', () => undefined);
    sent.end();
    const { promise, resolve } = Promise.withResolvers<void>();
    sent.on('response', (response) => {
      response.on('error', () => undefined);
      response.once('data', () => {
        response.pause();
        resolve();
      });
    });
    await promise;
    // The generator stops once the socket buffers on both sides are full.
    let last = -1;
    const isPaused = () => {
      const before = last;
      last = made;
      expect(made).toBe(before);
    };
    await eventually(isPaused);
    expect(made * piece.length).toBeLessThan(20_000_000);
    expect(ended).toBe(before);
    sent.destroy();
    await eventually(() => expect(ended).toBe(before + 1));
  });
});

describe.each<[string, ErrorRequestHandler]>([
  ['the API', createErrorHandler('http://localhost')],
  ['the web host', webErrorHandler],
])('a client of %s that disconnects', (_name, handler) => {
  const lines: Line[] = [];
  const makeFolder = useTempFolders();
  const app = express();
  const log = createLog('test', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  app.use(createRequestContext({ log, metrics: { observe() {} } }));
  const server = createServer(app);
  const answered = Promise.withResolvers<void>();
  const host = openOnce(async () => {
    const root = await makeFolder();
    await writeFile(`${root}/large`, Buffer.alloc(64 * 1024 * 1024));
    app.get('/large', (_request, response, next) => {
      response.sendFile('large', { root }, (error) => error && next(error));
    });
    app.get('/broken', (_request, response) => {
      response.writeHead(200).write('half');
      throw new Error('the database is gone');
    });
    app.get('/late', async (request, response, next) => {
      async function* makeLate() {
        if (!request.socket.destroyed) await once(request.socket, 'close');
        yield 'nobody reads this';
      }
      await sendStream(request, response, stream('text/csv', makeLate())).catch(next);
      answered.resolve();
    });
    app.use(handler);
    return { url: `http://127.0.0.1:${await listen(server, 0)}`, close: () => closeServer(server) };
  });
  beforeEach(() => {
    lines.length = 0;
  });

  async function readFirstPiece(path: string): Promise<void> {
    const sent = request(`${host.url}${path}`, { agent: false });
    sent.on('error', () => undefined);
    sent.on('response', (response) => {
      response.on('error', () => undefined);
      response.once('data', () => sent.destroy());
    });
    sent.end();
    await eventually(() => expect(lines.some(({ msg }) => msg === 'request')).toBe(true));
  }

  test('an aborted download is logged with status 499 and without an error', async () => {
    await readFirstPiece('/large');
    expect(lines.map(({ level, msg, status }) => [level, msg, status])).toEqual([['info', 'request', 499]]);
  });

  test('an error in the middle of a response is still logged', async () => {
    await readFirstPiece('/broken');
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', msg: 'response aborted' }));
  });

  test('a disconnect before the first chunk of a stream causes no error', async () => {
    const sent = request(`${host.url}/late`, { agent: false });
    sent.on('error', () => undefined);
    sent.end();
    await once(server, 'request');
    sent.destroy();
    await answered.promise;
    expect(lines.map(({ level, msg, status }) => [level, msg, status])).toEqual([['info', 'request', 499]]);
  });
});
