// Level: unit
import type { ServerResponse } from 'node:http';
import { createCupsPrinter } from '#common/production/providers/cups/create-cups-printer.ts';
import { groupTags, valueTags } from '#common/production/providers/cups/encode-request.ts';
import {
  PrinterBusyError,
  PrinterRefusedError,
  PrintInDoubtError,
} from '#common/production/providers/cups/printer-errors.ts';
import { describe, eventually, expect, guardMs, openOnce, test } from '#test/support/jest.ts';
import { ippAnswer, jobGroup } from '#test/support/print/ipp-answers.ts';
import { type ReceivedRequest, startIppServer } from '#test/support/print/ipp-server.ts';

const server = openOnce(startIppServer);
const printer = (timeoutMs = guardMs, signal?: AbortSignal) =>
  createCupsPrinter({ uri: server.uri, timeoutMs, ...(signal && { signal }) });
const print = (timeoutMs?: number) =>
  printer(timeoutMs).print({ name: 'mi_1', content: { bytes: Buffer.alloc(200_000, 'a') }, color: true });

const accepted = ({ requestId }: ReceivedRequest) => ippAnswer({ requestId, groups: [jobGroup(7)] });
const plain = { 'content-type': 'application/ipp' };
/** An accepted job with one byte or more of the answer replaced. */
const patched =
  (at: number, ...bytes: number[]) =>
  (request: ReceivedRequest) => {
    const answer = accepted(request);
    answer.set(bytes, at);
    return answer;
  };

type Misbehaving = (request: ReceivedRequest, response: ServerResponse) => Buffer | undefined;
const status =
  (code: number, headers: Record<string, string> = {}): Misbehaving =>
  (_request, response) => {
    response.writeHead(code, headers).end();
    return undefined;
  };
const raw =
  (send: (response: ServerResponse, answer: Buffer) => void): Misbehaving =>
  (request, response) => {
    send(response, accepted(request));
    return undefined;
  };
const endless = raw((response) => {
  response.writeHead(200, plain);
  const chunk = Buffer.alloc(64 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
});
/** The first attribute, `attributes-charset`, has its value's length at 30. */
const unusable: [string, Misbehaving][] = [
  ['an answer that ends in an attribute', (request) => accepted(request).subarray(0, 40)],
  ['an answer without an end', (request) => accepted(request).subarray(0, -1)],
  ['an empty answer', () => Buffer.alloc(0)],
  ['bytes behind the end', (request) => Buffer.concat([accepted(request), Buffer.from([0])])],
  ['a value longer than the answer', patched(30, 0x7f, 0xff)],
  ['a negative length', patched(30, 0xff, 0xe0)],
  ['another request id', patched(4, 0, 0, 0, 0)],
  ['another major version', patched(0, 9)],
  ['no job', ({ requestId }) => ippAnswer({ requestId })],
  ['two jobs', ({ requestId }) => ippAnswer({ requestId, groups: [jobGroup(7), jobGroup(8)] })],
  ['a job id of 0', ({ requestId }) => ippAnswer({ requestId, groups: [jobGroup(0)] })],
  [
    'a job id of two bytes',
    ({ requestId }) =>
      ippAnswer({ requestId, groups: [[groupTags.job, ['job-id', valueTags.integer, Buffer.from([0, 7])]]] }),
  ],
  [
    'thousands of groups',
    ({ requestId }) => ippAnswer({ requestId, groups: Array.from({ length: 900_000 }, () => [groupTags.job]) }),
  ],
  ['a page of HTML', raw((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'))],
  ['a redirect', status(302, { location: '/elsewhere' })],
  ['status 204', status(204)],
  ['status 502', status(502)],
  ['status 429', status(429)],
  ['a closed connection', raw((response) => response.destroy())],
  [
    'a connection closed in the answer',
    raw((response, answer) => {
      response.writeHead(200, { ...plain, 'content-length': answer.length });
      response.write(answer.subarray(0, 50), () => response.destroy());
    }),
  ],
];

describe('an answer that cannot be used', () => {
  test.each(unusable)('%s to a print job leaves it in doubt', async (_title, answering) => {
    server.answerPrint(answering);
    await expect(print()).rejects.toBeInstanceOf(PrintInDoubtError);
    expect(server.requests()).toHaveLength(2);
  });

  test.each(unusable)('%s to a question is an error that says so', async (_title, answering) => {
    server.answer(answering);
    const error = await printer()
      .check()
      .catch((thrown: unknown) => thrown);
    expect(error instanceof PrinterBusyError || error instanceof PrinterRefusedError).toBe(true);
    expect(server.requests()).toHaveLength(1);
  });

  test('an endless answer is given up at 1 MiB', async () => {
    server.answerPrint(endless);
    const message = 'Print-Job: an answer of more than 1048576 bytes';
    await expect(print()).rejects.toThrow(new PrintInDoubtError(message));
    server.answer(endless);
    await expect(printer().readJob(7)).rejects.toThrow('an answer of more than 1048576 bytes');
  });

  test('an answer that comes byte by byte is given up when the time is over', async () => {
    let isClosed = false;
    const drip = raw((response, answer) => {
      response.writeHead(200, { ...plain, 'content-length': answer.length });
      let at = 0;
      const timer = setInterval(() => response.write(answer.subarray(at, ++at)), 40);
      response.on('close', () => {
        clearInterval(timer);
        isClosed = true;
      });
    });
    server.answerPrint(drip);
    await expect(print(1_000)).rejects.toThrow(new PrintInDoubtError('Print-Job: no complete answer within 1000 ms'));
    await eventually(() => expect(isClosed).toBe(true));
    server.answer(drip);
    await expect(printer(500).readJob(7)).rejects.toBeInstanceOf(PrinterBusyError);
  });

  test('no answer and a process that stops leave a job in doubt', async () => {
    const stopping = new AbortController();
    server.answerPrint(() => {
      stopping.abort();
      return undefined;
    });
    const client = printer(guardMs, stopping.signal);
    const job = client.print({ name: 'mi_1', content: { bytes: Buffer.from('a') }, color: true });
    await expect(job).rejects.toBeInstanceOf(PrintInDoubtError);
    await expect(client.check()).rejects.toBeInstanceOf(PrinterBusyError);
  });
});

describe('a server that answers before it has asked for the document', () => {
  test.each([
    [302, PrinterRefusedError],
    [401, PrinterRefusedError],
    [417, PrinterRefusedError],
    [429, PrinterBusyError],
    [503, PrinterBusyError],
  ])('with status %i certainly has no job', async (code, kind) => {
    server.answerHead((response) => void response.writeHead(code).end());
    await expect(print()).rejects.toBeInstanceOf(kind);
  });

  test('by closing the connection, or not at all, certainly has no job', async () => {
    server.answerHead((response) => void response.destroy());
    await expect(print()).rejects.toBeInstanceOf(PrinterBusyError);
    server.answerHead(() => {});
    await expect(print(300)).rejects.toBeInstanceOf(PrinterBusyError);
  });

  test('with an accepted job before it has the document leaves it in doubt', async () => {
    server.answerHead((response, incoming) => {
      response.writeContinue();
      incoming.once('data', (chunk: Buffer) => {
        incoming.pause();
        const answer = ippAnswer({ requestId: chunk.readInt32BE(4), groups: [jobGroup(7)] });
        response.writeHead(200, plain).end(answer);
      });
    });
    const large = { name: 'mi_1', content: { bytes: Buffer.alloc(64_000_000) }, color: true };
    const message = 'Print-Job: malformed answer: accepted before the document was sent';
    await expect(printer().print(large)).rejects.toThrow(new PrintInDoubtError(message));
  });
});
