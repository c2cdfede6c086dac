import type { BodyOf, ResultOf } from '../api/types.ts';
import { ConnectionError, InvalidRequestError } from '../errors.ts';
import { wait } from '../http/retry.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';
import { type FileSource, type MimeType, type ReadFile, readSource } from './file-source.ts';

type Letter = BodyOf<'createMail'>;

/** A letter without its file. What can be derived from the file and the recipients may be absent. */
export type SendFileOptions =
  Omit<Letter, 'files' | 'templateId' | 'templateVersion' | 'mergeVariables'> extends infer L
    ? Omit<L, 'zone' | 'serviceType'> & Partial<Pick<Letter, 'zone' | 'serviceType'>> & FileNames
    : never;

export type FileNames = {
  /** As it appears in the account. By default that of the file. */
  filename?: string;
  /** By default that of the Blob, or as the name says. */
  mimeType?: MimeType;
};

const checkEveryMs = 200;
const checkForMs = 60_000;

/** See `Mails.sendFile`. */
export async function sendFile(
  transport: Transport,
  source: FileSource,
  { filename, mimeType, ...letter }: SendFileOptions,
  { idempotencyKey, ...options }: RequestOptions = {},
): Promise<ResultOf<'createMail'>> {
  // Before the upload, so that every attempt of this call has it.
  const isKeyed = typeof letter.externalId === 'string' || idempotencyKey !== undefined;
  const key = isKeyed ? idempotencyKey : crypto.randomUUID();
  const file = await readSource(source, { filename, mimeType });
  // A dry run needs files that can still be sent, which those of an earlier letter are for a day only.
  const externalId = letter.dryRun ? null : letter.externalId;
  const sent = externalId == null ? null : await findSent(transport, externalId, file, options);
  const s3Key = sent?.files[0]?.s3Key ?? (await uploadFile(transport, file, options));
  const { zone = zoneOf(letter.recipients), serviceType = 'standard' } = letter;
  const pages =
    letter.pages ?? sent?.pages ?? (await countPages(transport, { files: [{ s3Key }], serviceType }, options));
  const body: Letter = { ...letter, zone, serviceType, pages, files: [{ s3Key }] };
  return await transport.send({ id: 'createMail', body }, { ...options, idempotencyKey: key });
}

/** Returns the letter with this externalId if it has this very file, where the credential may read letters. */
async function findSent(
  transport: Transport,
  externalId: string,
  { blob }: ReadFile,
  options: RequestOptions,
): Promise<ResultOf<'getMail'> | null> {
  try {
    const { data } = await transport.send({ id: 'listMails', query: { externalId, limit: 1 } }, options);
    if (!data[0]) return null;
    const letter = await transport.send({ id: 'getMail', path: [data[0].mailJobId] }, options);
    const { createHash } = await import('node:crypto');
    const md5 = createHash('md5').update(new Uint8Array(await blob.arrayBuffer()));
    return letter.files.map(({ etag }) => etag).join() === `"${md5.digest('hex')}"` ? letter : null;
  } catch {
    // It only saves the upload, which works without the scope, and outside Node.
    return null;
  }
}

/** Uploads a file and returns its key. */
export async function uploadFile(
  transport: Transport,
  { blob, filename, mimeType }: ReadFile,
  options?: RequestOptions,
): Promise<string> {
  const body = { filename, mimeType, sizeBytes: blob.size };
  const { uploadUrl, headers, s3Key } = await transport.send({ id: 'createUpload', body }, options);
  await transport.put(uploadUrl, blob, headers, options);
  return s3Key;
}

/** An entry of the address book counts as Belgian: give `zone` when it is not. */
function zoneOf(recipients: Letter['recipients']): Letter['zone'] {
  const isForeign = recipients.some((recipient) => 'country' in recipient && recipient.country !== 'BE');
  return isForeign ? 'INTERNATIONAL' : 'NATIONAL';
}

async function countPages(
  transport: Transport,
  body: BodyOf<'createPreflight'>,
  options: RequestOptions,
): Promise<number> {
  const startedMs = Date.now();
  let check = await transport.send({ id: 'createPreflight', body }, options);
  while (check.status === 'running') {
    if (Date.now() - startedMs > checkForMs) {
      throw new ConnectionError({ code: 'TIMEOUT', message: 'The file was not checked in time. Give its pages.' });
    }
    await wait(checkEveryMs, options.signal);
    check = await transport.send({ id: 'getPreflight', path: [check.preflightId] }, options);
  }
  if (check.letter !== null) return check.letter.pages;
  const issues = check.findings.map(({ code, message }) => ({ path: ['files', 0], message: `${code}: ${message}` }));
  const message = 'The file cannot be printed; see issues.';
  throw new InvalidRequestError({ code: 'VALIDATION_ERROR', message, issues });
}
