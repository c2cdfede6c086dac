// Level: unit
import { createServer } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { boundUnreadBody } from '#api/middleware/bound-unread-body.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { describe, expect, test } from '#test/support/jest.ts';

describe('the rest of a body after the answer', () => {
  test('a client that sends nothing more is cut off after its time, and a complete body keeps the connection', async () => {
    const app = express().use(boundUnreadBody({ bytes: 1_000_000_000, ms: 300 }));
    app.post('/', (_, response) => void response.status(403).end('no'));
    const server = createServer(app);
    const port = await listen(server, 0);
    const socket = connect(port, '127.0.0.1');
    let answers = '';
    const answered = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        answers += chunk;
        if (answers.split('403').length === 3) resolve();
      });
    });
    const closed = new Promise<void>((resolve) => socket.once('error', () => {}).once('close', () => resolve()));
    const head = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
    socket.write(`${head(1)}x${head(100)}half`);
    await answered;
    await closed;
    expect(answers.match(/HTTP\/1.1 403/g)).toHaveLength(2);
    await closeServer(server);
  });
});
