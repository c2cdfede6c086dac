import type { PrinterAccess } from './ask-printer.ts';
import { maxNameBytes } from './encode-request.ts';
import { type FoundJob, findJobs } from './find-jobs.ts';
import { type JobReport, readJob } from './job-state.ts';
import { type PrintOrder, printDocument } from './print-document.ts';
import { type PrinterState, readPrinterState } from './printer-state.ts';
import { parsePrinterUri } from './printer-target.ts';

/** A queue of cupsd. Each method makes requests within its time limit, and keeps nothing between calls. */
export type CupsPrinter = {
  /** Reads the state of the printer and what it lacks. Throws `PrinterBusyError` or `PrinterRefusedError`. */
  check(): Promise<PrinterState>;
  /**
   * Hands over a PDF, once. Throws `PrinterBusyError` or `PrinterRefusedError` when the printer has certainly not
   * accepted it, `PrintInDoubtError` when it may have, and the error of the file system when the file cannot be read.
   */
  print(order: PrintOrder): Promise<{ jobId: number }>;
  /** Finds jobs by name, to resolve a doubt. A name that is not found proves nothing: see `findJobs`. */
  findJobs(names: ReadonlySet<string>): Promise<Map<string, FoundJob[]>>;
  readJob(jobId: number): Promise<JobReport>;
};

type CupsPrinterOptions = {
  /** `ipp://host:port/printers/NAME`, or `ipps://`. The certificate must be valid for the host. */
  uri: string;
  /** Limit of each request in ms, 1 to 2^31 - 1. It includes sending the document. */
  timeoutMs: number;
  /** The owner of the jobs: printable ASCII, at most 255 characters. Jobs of another user are not found. */
  user?: string;
  /** Ends requests, as when the process stops. A document that is being sent is then in doubt. */
  signal?: AbortSignal;
};

const defaultUser = 'bluejay';

/** Creates the client of a queue, without a request. Throws when the URI or the user cannot be used. */
export function createCupsPrinter({ uri, timeoutMs, user = defaultUser, signal }: CupsPrinterOptions): CupsPrinter {
  if (!/^[!-~]+$/.test(user) || user.length > maxNameBytes) {
    throw new RangeError(`A user must have 1 to ${maxNameBytes} printable ASCII characters without spaces.`);
  }
  const access: PrinterAccess = { target: parsePrinterUri(uri), user, timeoutMs, signal };
  return {
    check: () => readPrinterState(access),
    print: (order) => printDocument(access, order),
    findJobs: (names) => findJobs(access, names),
    readJob: (jobId) => readJob(access, jobId),
  };
}
