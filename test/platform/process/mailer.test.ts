// Level: unit
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { createBackgroundTasks } from '#common/platform/process/background-tasks.ts';
import { createMailer, type Mail, MailUncertainError } from '#common/platform/process/mailer.ts';
import { afterEach, describe, expect, test, useTempFolders } from '#test/support/jest.ts';
import { type MailAnswer, type MailServer, politeMailAnswer, startMailServer } from '#test/support/mail-server.ts';

const mail: Mail = { kind: 'greeting', to: 'ada@example.com', subject: 'Bonjour à tous', text: 'Ça va ?\n' };
const from = 'Bluejay <post@example.com>';

/** A log that collects its lines. */
function readableLog() {
  const lines: string[] = [];
  return { lines, log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }) };
}

describe('mails without a mail server', () => {
  const tempFolder = useTempFolders();

  test('without SMTP_URL a mail becomes a private file, and the log names only the file', async () => {
    const outboxDir = join(await tempFolder(), 'outbox');
    const { log, lines } = readableLog();
    const mailer = createMailer({ smtpUrl: undefined, from, outboxDir, log });
    await mailer.send(mail);
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
  let server: MailServer | undefined;
  afterEach(async () => server?.close());

  const listen = async (answer: MailAnswer) => {
    server = await startMailServer(answer);
    return server;
  };

  test('with SMTP_URL the mail server receives the mail', async () => {
    const { port, received } = await listen(politeMailAnswer);
    const { log } = readableLog();
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from, outboxDir: '/nowhere', log });
    await mailer.send(mail);
    expect(received.join('')).toContain('RCPT TO:<ada@example.com>');
    expect(received.join('')).toContain('To: ada@example.com');
  });

  test('a mail in the background that the server refuses is logged without an address', async () => {
    const { port } = await listen((line) =>
      line.startsWith('RCPT') ? '550 no ada@example.com here' : politeMailAnswer(line),
    );
    const { log, lines } = readableLog();
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from, outboxDir: '/nowhere', log });
    const tasks = createBackgroundTasks({ log });
    tasks.run(mail.kind, () => mailer.send(mail));
    await tasks.close();
    expect(lines.join('')).toContain('background task failed');
    expect(lines.join('')).toContain('"work":"greeting"');
    expect(lines.join('')).not.toContain('ada@example.com');
  });

  describe('with a failing server', () => {
    const failureAt = async (port: number) => {
      const { log } = readableLog();
      const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from, outboxDir: '/nowhere', log });
      return await mailer.send(mail).catch((error: unknown) => error);
    };

    test('a connection lost after sending leaves it unknown whether the server has the mail', async () => {
      const { port, received } = await listen((line, socket) => {
        if (line !== '.') return politeMailAnswer(line);
        socket.destroy();
        return '';
      });
      const failure = await failureAt(port);
      expect(failure).toBeInstanceOf(MailUncertainError);
      expect(received.join('')).toContain('To: ada@example.com');
    });

    test.each(['RCPT', 'DATA', '.'])('a refusal of %s means that the server does not have the mail', async (word) => {
      const { port } = await listen((line) => (line.startsWith(word) ? '451 try later' : politeMailAnswer(line)));
      const failure = await failureAt(port);
      expect(failure).toMatchObject({ responseCode: 451 });
      expect(failure).not.toBeInstanceOf(MailUncertainError);
    });

    test('a refused connection means that the server does not have the mail', async () => {
      const { port } = await listen(politeMailAnswer);
      await server?.close();
      const failure = await failureAt(port);
      expect(failure).toMatchObject({ syscall: 'connect' });
      expect(failure).not.toBeInstanceOf(MailUncertainError);
    });
  });
});
