import { createServer, type Socket } from 'node:net';

/** Returns the reply to a line. The server sends no reply for an empty string. */
export type MailAnswer = (line: string, socket: Socket) => string;

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** Accepts every mail. */
export const politeMailAnswer = (line: string): string => {
  if (line === 'DATA') return '354 go on';
  return /^(EHLO|MAIL|RCPT|QUIT|\.$)/.test(line) ? '250 fine' : '';
};

/** Starts a mail server on a free port that replies with `answer`. It supports mails that fit into one chunk. */
export async function startMailServer(answer: MailAnswer) {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.write('220 test\r\n');
    socket.on('data', (data) => {
      received.push(data.toString());
      const lines = data.toString().split('\r\n');
      for (const line of lines.filter((part) => part !== '')) {
        const reply = answer(line, socket);
        if (reply !== '') socket.write(`${reply}\r\n`);
      }
    });
    socket.on('error', () => {});
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  // A test that fails before it closes the server must not keep the process alive.
  server.unref();

  return {
    port: (server.address() as { port: number }).port,
    /** The received chunks. */
    received,
    /** Stops listening, and waits until the connections have ended. */
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}
