import type { BodyOf, FilterOf, QueryOf, ResultOf } from '../api/types.ts';
import { type ListOf, listOf } from '../http/list.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';
import type { FileSource } from './file-source.ts';
import { type SendFileOptions, sendFile } from './send-file.ts';

/** The answer to a letter that was sent. Only a dry run has no id. */
export type SentLetter = ResultOf<'createMail'> & { mailJobId: string };

type NoDryRun = { dryRun?: false | null };

/** Letters. */
export class Mails {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Sends a letter, or with `dryRun` only checks and prices it. It is sent and paid once, however often the request is
   * repeated: a call without `externalId` gets an idempotency key of its own, so give an `externalId` when another
   * process may repeat the call.
   */
  create(body: BodyOf<'createMail'> & NoDryRun, options?: RequestOptions): Promise<SentLetter>;
  create(body: BodyOf<'createMail'>, options?: RequestOptions): Promise<ResultOf<'createMail'>>;
  create(body: BodyOf<'createMail'>, options: RequestOptions = {}): Promise<ResultOf<'createMail'>> {
    const isKeyed = typeof body.externalId === 'string' || options.idempotencyKey !== undefined;
    const keyed = isKeyed ? options : { ...options, idempotencyKey: crypto.randomUUID() };
    return this.#transport.send({ id: 'createMail', body }, keyed);
  }

  /**
   * Uploads a file and sends it as a letter. `file` is a path, a Blob or File, bytes, or a stream, at most 20 MiB: PDF,
   * JPEG, PNG or HEIC. Unless given, `zone` follows from the countries of the recipients, `serviceType` is `standard`,
   * and `pages` is counted by a check, which throws when the file cannot be printed. With an `externalId` that has sent
   * the same file, nothing is uploaded, if the credential has the scope `read` and the letter is not a dry run.
   */
  sendFile(file: FileSource, letter: SendFileOptions & NoDryRun, options?: RequestOptions): Promise<SentLetter>;
  sendFile(file: FileSource, letter: SendFileOptions, options?: RequestOptions): Promise<ResultOf<'createMail'>>;
  sendFile(file: FileSource, letter: SendFileOptions, options?: RequestOptions): Promise<ResultOf<'createMail'>> {
    return sendFile(this.#transport, file, letter, options);
  }

  /** Lists letters, newest first. */
  list(filter?: FilterOf<'listMails'>, options?: RequestOptions): ListOf<'listMails'> {
    return listOf(this.#transport, { id: 'listMails', query: filter }, options);
  }

  get(id: string, options?: RequestOptions): Promise<ResultOf<'getMail'>> {
    return this.#transport.send({ id: 'getMail', path: [id] }, options);
  }

  change(id: string, body: BodyOf<'changeMail'>, options?: RequestOptions): Promise<ResultOf<'changeMail'>> {
    return this.#transport.send({ id: 'changeMail', path: [id], body }, options);
  }

  /** Cancels a letter that is not printed yet, and refunds it. */
  cancel(id: string, body?: BodyOf<'cancelMail'>, options?: RequestOptions): Promise<ResultOf<'cancelMail'>> {
    return this.#transport.send({ id: 'cancelMail', path: [id], body: body ?? {} }, options);
  }

  timeline(id: string, options?: RequestOptions): Promise<ResultOf<'getTimeline'>> {
    return this.#transport.send({ id: 'getTimeline', path: [id] }, options);
  }

  /** Returns a URL of the letter as it goes to press. */
  proof(id: string, query?: QueryOf<'getProof'>, options?: RequestOptions): Promise<ResultOf<'getProof'>> {
    return this.#transport.send({ id: 'getProof', path: [id], query }, options);
  }

  /** Returns a URL of the picture of a page. */
  preview(id: string, query?: QueryOf<'getPreview'>, options?: RequestOptions): Promise<ResultOf<'getPreview'>> {
    return this.#transport.send({ id: 'getPreview', path: [id], query }, options);
  }

  preflight(id: string, options?: RequestOptions): Promise<ResultOf<'getMailPreflight'>> {
    return this.#transport.send({ id: 'getMailPreflight', path: [id] }, options);
  }

  /** Advances a test letter by one status, or to a status. */
  simulate(id: string, body?: BodyOf<'simulateMail'>, options?: RequestOptions): Promise<ResultOf<'simulateMail'>> {
    return this.#transport.send({ id: 'simulateMail', path: [id], body: body ?? {} }, options);
  }

  /** Removes the contents and addresses of a letter that is final. */
  redact(id: string, options?: RequestOptions): Promise<ResultOf<'redactMail'>> {
    return this.#transport.send({ id: 'redactMail', path: [id] }, options);
  }
}
