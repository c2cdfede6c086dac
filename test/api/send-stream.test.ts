import { createServer, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { errorHandler } from '../../api/middleware/error-handler.ts';
import { createRequestContext } from '../../api/middleware/request-context.ts';
import { sendStream } from '../../api/send-stream.ts';
import { AppError } from '../../common/errors.ts';
import { createLog } from '../../common/platform/log.ts';
import { closeServer, listen } from '../../common/platform/metrics.ts';
import { eventually } from '../support/eventually.ts';
import { sendRaw } from '../support/send-raw.ts';

describe('an answer that is sent while it is made', () => {
  let made = 0;
  let ended = 0;
  let url: string;
  const observed: number[] = [];
  const piece = 'x'.repeat(16_384);

  /** `count` pieces, then an end or a failure. */
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
  app.use(errorHandler);
  const server = createServer(app);
  beforeAll(async () => {
    url = `http://127.0.0.1:${await listen(server, 0)}`;
  });
  afterAll(() => closeServer(server));

  test('given an answer, when it is read, then it is whole; HEAD gets its headers and nothing is made', async () => {
    const whole = await sendRaw(`${url}/whole`, { method: 'GET' });
    expect([whole.status, whole.body.length, whole.headers['transfer-encoding']]).toEqual([
      200,
      100 * 16_384,
      'chunked',
    ]);
    expect((await sendRaw(`${url}/empty`, { method: 'GET' })).body).toHaveLength(0);
    const before = ended;
    const head = await sendRaw(`${url}/endless`, { method: 'HEAD' });
    expect([head.status, head.headers['content-type'], made]).toEqual([200, 'text/csv; charset=utf-8', 0]);
    expect(ended).toBe(before + 1);
  });

  test('given a failure before the first piece, when it is answered, then it is an error like any other', async () => {
    const { status, headers, body } = await sendRaw(`${url}/fails-first`, { method: 'GET' });
    expect([status, headers['content-type'], JSON.parse(body.toString()).code]).toEqual([
      404,
      'application/json; charset=utf-8',
      'NOT_FOUND',
    ]);
  });

  test('given a failure in the middle, when it is read, then the connection breaks, and what came does not look whole', async () => {
    await expect(sendRaw(`${url}/fails-later`, { method: 'GET' })).rejects.toMatchObject({ code: 'ECONNRESET' });
    await eventually(() => expect(observed.at(-1)).toBe(499), { withinMs: 5_000 });
    expect(made).toBe(50);
  });

  test('given a reader who takes nothing, and then goes away, when much waits for him, then little was made, and the making ends', async () => {
    const before = ended;
    const sent = request(`${url}/endless`, { agent: false });
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
    // The socket's buffers on both sides are all that fills: what is made comes to a halt.
    let last = -1;
    await eventually(
      () => {
        const before = last;
        last = made;
        expect(made).toBe(before);
      },
      { withinMs: 5_000 },
    );
    expect(made * piece.length).toBeLessThan(20_000_000);
    expect(ended).toBe(before);
    sent.destroy();
    await eventually(() => expect(ended).toBe(before + 1), { withinMs: 5_000 });
  });
});
