import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { operations } from '#common/production/providers/cups/encode-request.ts';
import { ippAnswer, printerGroup } from './ipp-answers.ts';

/** A request that a test answers. */
export type ReceivedRequest = { operation: number; requestId: number; body: Buffer };

/** Answers a request: with bytes of IPP and status 200, or in its own way. */
export type Answering = (request: ReceivedRequest, response: ServerResponse) => Buffer | undefined;

/** Starts a printer that answers as a test tells it. Until then it describes a printer that can print letters. */
export async function startIppServer({ tls }: { tls?: TlsOptions } = {}) {
  let answering: Answering | undefined;
  let onExpect: ((response: ServerResponse, incoming: IncomingMessage) => void) | undefined;
  const requests: ReceivedRequest[] = [];

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await incoming.toArray());
    const request = { operation: body.readUInt16BE(2), requestId: body.readInt32BE(4), body };
    requests.push(request);
    const isQuestion = request.operation === operations['Get-Printer-Attributes'];
    const answer = isQuestion && !answering ? describePrinter(request) : answering?.(request, response);
    if (answer) response.writeHead(200, { 'content-type': 'application/ipp' }).end(answer);
  };
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
    // The client may go away in the middle of its request.
    handle(incoming, response).catch(() => response.destroy());
  };
  const server = tls ? createTlsServer(tls, onRequest) : createServer(onRequest);
  server.on('checkContinue', (incoming: IncomingMessage, response: ServerResponse) => {
    if (onExpect) return void onExpect(response, incoming);
    response.writeContinue();
    server.emit('request', incoming, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    uri: `${tls ? 'ipps' : 'ipp'}://127.0.0.1:${(server.address() as AddressInfo).port}/printers/letters`,
    /** The requests that were received completely, since the last `answer`. */
    requests: () => requests,
    /** Answers all further requests in this way, also those about the printer. */
    answer(next: Answering): void {
      answering = next;
      onExpect = undefined;
      requests.length = 0;
    },
    /** Answers Print-Job in this way, and describes a printer that can print letters. */
    answerPrint(next: Answering): void {
      this.answer((request, response) => {
        const isQuestion = request.operation === operations['Get-Printer-Attributes'];
        return isQuestion ? describePrinter(request) : next(request, response);
      });
    },
    /** Answers the head of a request with a document, instead of asking for the body. */
    answerHead(next: (response: ServerResponse, incoming: IncomingMessage) => void): void {
      this.answerPrint(() => undefined);
      onExpect = next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function describePrinter({ requestId }: ReceivedRequest): Buffer {
  return ippAnswer({ requestId, groups: [printerGroup()] });
}
