import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Log } from './log.ts';

/** A mail to one person, in plain text. */
export type Mail = {
  /** Names the kind of mail in the log, where no address may stand. */
  kind: string;
  to: string;
  subject: string;
  text: string;
};

/** Hands mails on. */
export type Mailer = {
  /** Resolves when the mail server has taken the mail, or the outbox holds it. Throws when neither did. */
  send(mail: Mail): Promise<void>;
  /** The same without waiting: what goes wrong is logged. */
  post(mail: Mail): void;
  /** Waits for what `post` has begun, 10 s at most. */
  close(): Promise<void>;
};

export type MailerOptions = {
  /** `smtp://` or `smtps://`; without it every mail becomes a file. */
  smtpUrl: string | undefined;
  /** `Name <address>` or an address alone. */
  from: string;
  /** The folder of those files. */
  outboxDir: string;
  log: Log;
};

/** Generous for a mail of a few lines, and an end to a server that hangs. */
const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };
const closeTimeoutMs = 10_000;
/** Mails under way at once; more of them wait in `post` for nothing but a server that hangs, and are dropped. */
const maxPending = 200;

/** By SMTP where there is a server for it, else into a folder that the operator can look into. */
export function createMailer({ smtpUrl, from, outboxDir, log }: MailerOptions): Mailer {
  const pending = new Set<Promise<void>>();
  const send = smtpUrl === undefined ? sendToOutbox : sendBySmtp(smtpUrl);

  async function sendToOutbox({ kind, ...mail }: Mail): Promise<void> {
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({ from, ...mail });
    const file = join(
      outboxDir,
      `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`,
    );
    // Mails hold links that are as good as a password.
    await mkdir(outboxDir, { recursive: true, mode: 0o700 });
    await writeFile(file, message as Buffer, { mode: 0o600, flag: 'wx' });
    log.info({ kind, file }, 'mail written: SMTP_URL is not set');
  }

  function sendBySmtp(url: string): Mailer['send'] {
    const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
    return async ({ kind, ...mail }) => {
      await transport.sendMail({ from, ...mail });
      log.info({ kind }, 'mail sent');
    };
  }

  return {
    send,
    post(mail) {
      if (pending.size >= maxPending) return log.error({ kind: mail.kind }, 'mail dropped: too many are under way');
      const sending = send(mail)
        // Of the error only its code: the server's words repeat the address.
        .catch((error: { code?: unknown }) => log.error({ kind: mail.kind, code: error.code }, 'mail not sent'))
        .finally(() => pending.delete(sending));
      pending.add(sending);
    },
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeTimeoutMs);
      await Promise.race([Promise.all(pending), late]);
      clearTimeout(timer);
    },
  };
}
