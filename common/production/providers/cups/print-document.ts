import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FileContent } from '#common/documents/file-content.ts';
import { groupsOf, onlyGroupOf, readJobId } from './answer-attributes.ts';
import { describeStatus, newRequestId, type PrinterAccess, unsentError } from './ask-printer.ts';
import { decodeAnswer, type IppAnswer, MalformedAnswerError } from './decode-answer.ts';
import { attribute, encodeRequest, groupTags, maxNameBytes, type RequestAttribute } from './encode-request.ts';
import { ExchangeError, exchange, type OpenDocument } from './exchange.ts';
import { verdictOf } from './ipp-status.ts';
import { isHttpRefusal, PrinterBusyError, PrinterRefusedError, PrintInDoubtError } from './printer-errors.ts';
import { a4, documentFormat, type PrinterState, readPrinterState, sides } from './printer-state.ts';

/** A PDF to print once on A4. */
export type PrintOrder = {
  /** The name of the job, by which it is found again: printable ASCII without spaces, at most 255 characters. */
  name: string;
  content: FileContent;
  color: boolean;
  /** Absent: on both sides. */
  doubleSided?: boolean;
};

const operation = 'Print-Job';

/**
 * Hands a PDF to the printer as one job. Returns the job's id when the printer has accepted it, not when it has printed
 * it.
 *
 * It is certain that there is no job, and `PrinterBusyError` or `PrinterRefusedError` is thrown, only in two cases: no
 * byte of the request's body was sent, or the server has answered with a status by which servers refuse requests
 * without acting on them. Every other failure throws `PrintInDoubtError`. A broken-off request counts as in doubt,
 * because a printer may print while it reads.
 *
 * What the printer supports is read before each job: cupsd accepts jobs with `sides` and `media` that the printer does
 * not have, and prints them in another way.
 */
export async function printDocument(access: PrinterAccess, order: PrintOrder): Promise<{ jobId: number }> {
  if (!/^[!-~]+$/.test(order.name) || order.name.length > maxNameBytes) {
    throw new RangeError(`A job name must have 1 to ${maxNameBytes} printable ASCII characters without spaces.`);
  }
  const document = await openDocument(order.content);
  try {
    const state = await readPrinterState(access);
    requireAbilities(state, order.color);
    return await sendJob(access, document, { ...order, state });
  } finally {
    document.stream.destroy();
  }
}

function requireAbilities({ lacks, printsColor, printsMonochrome }: PrinterState, color: boolean): void {
  const mode = (color ? printsColor : printsMonochrome) ? [] : [`print-color-mode-supported: ${colorMode(color)}`];
  const missing = [...lacks, ...mode];
  if (missing.length > 0) throw new PrinterRefusedError(`The printer does not support ${missing.join(', ')}`);
}

async function sendJob(
  access: PrinterAccess,
  document: OpenDocument,
  { name, state, ...how }: Omit<PrintOrder, 'content'> & { state: PrinterState },
): Promise<{ jobId: number }> {
  const { target, user } = access;
  const requestId = newRequestId();
  const head = encodeRequest({
    ...{ operation, requestId, printerUri: target.printerUri, user },
    operationAttributes: [
      attribute('job-name', 'name', name),
      // Rejects the job rather than ignoring attributes (RFC 8011, 4.2.1.1). cupsd does so for some attributes only.
      attribute('ipp-attribute-fidelity', 'boolean', true),
      attribute('document-format', 'mimeMediaType', documentFormat),
    ],
    jobAttributes: jobAttributes(how, state),
  });
  try {
    const { bytes, isBodyComplete } = await exchange(target, { head, document }, access);
    return readOutcome(decodeAnswer(bytes, requestId), isBodyComplete);
  } catch (error) {
    if (error instanceof MalformedAnswerError) {
      throw new PrintInDoubtError(`${operation}: malformed answer: ${error.message}`);
    }
    if (!(error instanceof ExchangeError)) throw error;
    const { isBodyStarted, httpStatus, message } = error;
    if (!isBodyStarted || (httpStatus !== undefined && isHttpRefusal(httpStatus))) throw unsentError(operation, error);
    throw new PrintInDoubtError(`${operation}: ${message}`);
  }
}

function jobAttributes(
  { color, doubleSided = true }: Pick<PrintOrder, 'color' | 'doubleSided'>,
  { keepsSize, omitsBanners }: PrinterState,
): RequestAttribute[] {
  return [
    attribute('copies', 'integer', 1),
    attribute('sides', 'keyword', doubleSided ? sides.both : sides.one),
    attribute('media', 'keyword', a4),
    attribute('print-color-mode', 'keyword', colorMode(color)),
    ...(keepsSize ? [attribute('print-scaling', 'keyword', 'none')] : []),
    ...(omitsBanners ? [attribute('job-sheets', 'keyword', 'none')] : []),
  ];
}

function colorMode(color: boolean): string {
  return color ? 'color' : 'monochrome';
}

function readOutcome(answer: IppAnswer, isBodyComplete: boolean): { jobId: number } {
  const verdict = verdictOf(answer.status);
  if (verdict === 'accepted') {
    if (!isBodyComplete) throw new MalformedAnswerError('accepted before the document was sent');
    return { jobId: readJobId(onlyGroupOf(answer, groupTags.job)) };
  }
  const text = describeStatus(operation, answer);
  // cupsd also sends an error status with the job that it has created.
  if (verdict === 'unclear' || groupsOf(answer, groupTags.job).length > 0) throw new PrintInDoubtError(text);
  throw verdict === 'busy' ? new PrinterBusyError(text) : new PrinterRefusedError(text);
}

/** Opens a document before anything is sent. Rejects with the error of the file system when it cannot be read. */
async function openDocument(content: FileContent): Promise<OpenDocument> {
  if ('bytes' in content) {
    return { sizeBytes: requireContent(content.bytes.length), stream: Readable.from([content.bytes]) };
  }
  const file = await open(content.path);
  try {
    const sizeBytes = requireContent((await file.stat()).size);
    // The stream closes the file. It reads to the end of the file, so that a file that has grown is noticed.
    return { sizeBytes, stream: file.createReadStream({ highWaterMark: 256 * 1024 }) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function requireContent(sizeBytes: number): number {
  if (sizeBytes === 0) throw new RangeError('An empty document cannot be printed.');
  return sizeBytes;
}
