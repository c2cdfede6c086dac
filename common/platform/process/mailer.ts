import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from './log.ts';

/** A mail to one person, in plain text. */
export type Mail = {
  /** Identifies the mail in the log, which must not contain addresses. */
  kind: string;
  to: string;
  subject: string;
  text: string;
};

/** The connection was lost, or no reply came in time: the mail server may or may not have accepted the mail. */
export class MailUncertainError extends Error {
  override readonly name = 'MailUncertainError';
  /** The code of the error that ended the connection. */
  readonly code: string | undefined;

  constructor(cause: SmtpError) {
    super('The mail server did not say whether it took the mail.', { cause });
    this.code = cause.code;
  }
}

/** The fields that nodemailer adds to an error. */
type SmtpError = {
  code?: string;
  originalCode?: string;
  syscall?: string;
  responseCode?: number;
  timeoutType?: string;
};

/** Error codes of nodemailer before any mail data is sent: DNS, authentication, envelope or TLS failed. */
const unsentCodes = ['EDNS', 'EAUTH', 'EENVELOPE', 'ETLS'];

/** Returns whether a mail was certainly not accepted: the server refused it, or was never reached. */
function isRefusal({ code = '', originalCode, syscall, responseCode = 0, timeoutType }: SmtpError): boolean {
  if (responseCode >= 400 || unsentCodes.includes(code)) return true;
  if (timeoutType !== undefined) return timeoutType !== 'SOCKET_TIMEOUT';
  return syscall === 'connect' || originalCode === 'ECONNREFUSED';
}

export type Mailer = {
  /**
   * Resolves when the mail server has accepted the mail, or it is in the outbox. Throws `MailUncertainError` when the
   * server may have accepted it, any other error when it did not.
   */
  send(mail: Mail): Promise<void>;
};

export type MailerOptions = {
  /** `smtp://` or `smtps://`. When undefined, every mail is written to a file. */
  smtpUrl: string | undefined;
  /** `Name <address>` or a bare address. */
  from: string;
  /** The folder for mails that are written to files. */
  outboxDir: string;
  log: Log;
};

/** Generous for a mail of a few lines, and a bound for a server that hangs. */
const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

/** With the first mail: most processes send none. */
const loadNodemailer = () => import('nodemailer');

/** Creates a mailer that sends by SMTP if `smtpUrl` is set, and otherwise writes to the outbox folder. */
export function createMailer({ smtpUrl, from, outboxDir, log }: MailerOptions): Mailer {
  async function sendToOutbox({ kind, ...mail }: Mail): Promise<void> {
    const { createTransport } = await loadNodemailer();
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({ from, ...mail });
    const file = join(
      outboxDir,
      `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`,
    );
    // Mails contain links that are as sensitive as a password.
    await mkdir(outboxDir, { recursive: true, mode: 0o700 });
    await writeFile(file, message as Buffer, { mode: 0o600, flag: 'wx' });
    log.info({ kind, file }, 'mail written to the outbox, SMTP_URL is not set');
  }

  function sendBySmtp(url: string): Mailer['send'] {
    return async ({ kind, ...mail }) => {
      const { createTransport } = await loadNodemailer();
      const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
      await transport.sendMail({ from, ...mail }).catch((error: SmtpError) => {
        throw isRefusal(error) ? error : new MailUncertainError(error);
      });
      log.info({ kind }, 'mail sent');
    };
  }

  return { send: smtpUrl === undefined ? sendToOutbox : sendBySmtp(smtpUrl) };
}
