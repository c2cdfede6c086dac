import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createMailer, type Mail } from '../../common/platform/mailer.ts';
import { eventually } from '../support/eventually.ts';
import { useTempFolders } from '../support/temp-folder.ts';

const mail: Mail = { kind: 'greeting', to: 'ada@example.com', subject: 'Bonjour à tous', text: 'Ça va ?\n' };
const from = 'Bluejay <post@example.com>';

/** A log whose lines can be read. */
function readableLog() {
  const lines: string[] = [];
  return { lines, log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }) };
}

describe('mails without a mail server', () => {
  const tempFolder = useTempFolders();

  test('given no SMTP_URL, when a mail is sent, then it is a file for its owner alone, and the log names the file and nobody', async () => {
    const outboxDir = join(await tempFolder(), 'outbox');
    const { log, lines } = readableLog();
    const mailer = createMailer({ smtpUrl: undefined, from, outboxDir, log });
    mailer.post(mail);
    await mailer.close();
    const [file = ''] = await readdir(outboxDir);
    const text = await readFile(join(outboxDir, file), 'utf8');
    expect(file).toMatch(/\.eml$/);
    for (const line of ['From: Bluejay <post@example.com>', 'To: ada@example.com']) expect(text).toContain(line);
    expect((await stat(join(outboxDir, file))).mode & 0o777).toBe(0o600);
    expect((await stat(outboxDir)).mode & 0o777).toBe(0o700);
    expect(lines.join('')).toContain(file);
    expect(lines.join('')).not.toContain('ada@example.com');
  });
});

describe('mails by SMTP', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  /** A mail server for one mail at a time, which answers what `answer` says, and the port that it listens on. */
  async function listen(answer: (line: string) => string): Promise<{ port: number; received: string[] }> {
    const received: string[] = [];
    server = createServer((socket) => {
      socket.write('220 test\r\n');
      socket.on('data', (data) => {
        received.push(data.toString());
        for (const line of data
          .toString()
          .split('\r\n')
          .filter((part) => part !== '')) {
          const reply = answer(line);
          if (reply !== '') socket.write(`${reply}\r\n`);
        }
      });
      socket.on('error', () => {});
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    return { port: (server.address() as { port: number }).port, received };
  }

  const polite = (line: string) => {
    if (line === 'DATA') return '354 go on';
    return /^(EHLO|MAIL|RCPT|QUIT|\.$)/.test(line) ? '250 fine' : '';
  };

  test('given a mail server, when a mail is sent, then the server has it', async () => {
    const { port, received } = await listen(polite);
    const { log } = readableLog();
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from, outboxDir: '/nowhere', log });
    await mailer.send(mail);
    expect(received.join('')).toContain('RCPT TO:<ada@example.com>');
    expect(received.join('')).toContain('To: ada@example.com');
  });

  test('given a mail server that refuses, when a mail is posted, then the log says so without naming anybody', async () => {
    const { port } = await listen((line) => (line.startsWith('RCPT') ? '550 no ada@example.com here' : polite(line)));
    const { log, lines } = readableLog();
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from, outboxDir: '/nowhere', log });
    mailer.post(mail);
    await eventually(() => expect(lines.join('')).toContain('mail not sent'), { withinMs: 10_000 });
    expect(lines.join('')).toContain('"kind":"greeting"');
    expect(lines.join('')).not.toContain('ada@example.com');
  });
});
