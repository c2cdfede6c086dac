import { rowsOf } from '#common/platform/mongo/mongo.ts';
import {
  type BatchToPrint,
  type HandOver,
  type PressProvider,
  PressUnavailableError,
  type ReportedResults,
  type Whereabouts,
} from '../press-provider.ts';
import { type CupsPrinter, createCupsPrinter } from './create-cups-printer.ts';
import { jobNameOf, PressJob, type PressJobRecord } from './press-job.model.ts';
import { PrinterBusyError, PrinterRefusedError } from './printer-errors.ts';

/** Limit of a request to the printer. A copy of 100 MB takes about a second on a local network. */
const timeoutMs = 60_000;
/** Most print jobs that one look asks for. The printer prints in order, so the first ones end first. */
const maxAsked = 200;

/** For writes that decide whether a letter is printed twice. */
const durable = { writeConcern: { w: 'majority', journal: true } } as const;

/**
 * Creates the provider that prints on a queue of cupsd. Each item is one print job under its id, and is recorded before
 * it is sent: an item that is recorded is never sent again, unless an operator says so. The queue takes the items one by
 * one, so a batch can be partly handed over; it resumes with the first unsent item.
 */
export function createCupsProvider(uri: string): PressProvider {
  const printer = createCupsPrinter({ uri, timeoutMs });
  return {
    prepare: (work) => withAdvice(() => prepare(printer, work)),
    locate: ({ batchId }) => withAdvice(() => locate(printer, batchId)),
    readResults: ({ batch: { batchId }, signal }) => withAdvice(() => readResults(printer, batchId, signal)),
  };
}

const jobs = () => rowsOf<PressJobRecord>(PressJob);

async function prepare(printer: CupsPrinter, work: BatchToPrint): Promise<HandOver> {
  const { isAccepting, lacks } = await printer.check();
  if (!isAccepting) throw new PressUnavailableError('The print queue takes no jobs. Enable it: cupsaccept.');
  if (lacks.length > 0)
    throw new PressUnavailableError(`The print queue lacks ${lacks.join(', ')}. Set its driver up.`);
  return () => withAdvice(() => sendAll(printer, work));
}

/** Sends the items that the printer does not have, in order. */
async function sendAll(printer: CupsPrinter, { batch, copies, signal }: BatchToPrint): Promise<void> {
  const { batchId, color, doubleSided } = batch;
  const rows = await jobs().find({ batchId }).toArray();
  const known = new Map(rows.map((row) => [row._id, row]));
  for await (const { item, copy, release } of copies()) {
    signal.throwIfAborted();
    const { state = 'waiting', attempt = 1 } = known.get(item.itemId) ?? {};
    const document = { content: copy, color, doubleSided };
    if (state === 'waiting') await send(printer, { _id: item.itemId, batchId, attempt }, document);
    release();
  }
}

type Document = Omit<Parameters<CupsPrinter['print']>[0], 'name'>;

async function send(
  printer: CupsPrinter,
  job: Pick<PressJobRecord, '_id' | 'batchId' | 'attempt'>,
  document: Document,
): Promise<void> {
  const { _id, batchId, attempt } = job;
  // A second sender of the same attempt fails here: its upsert meets the row of the first.
  const sending = { $set: { state: 'sending', jobId: null }, $setOnInsert: { batchId, attempt } } as const;
  await jobs().updateOne({ _id, state: 'waiting' }, sending, { ...durable, upsert: true });
  try {
    const { jobId } = await printer.print({ name: jobNameOf(job), ...document });
    await jobs().updateOne({ _id, state: 'sending' }, { $set: { state: 'sent', jobId } }, durable);
  } catch (error) {
    const isCertain = error instanceof PrinterBusyError || error instanceof PrinterRefusedError;
    if (isCertain) await jobs().updateOne({ _id, state: 'sending' }, { $set: { state: 'waiting' } }, durable);
    throw error;
  }
}

/** Looks for the items whose sending did not end. A name that is not found proves nothing: only a person can tell. */
async function locate(printer: CupsPrinter, batchId: string): Promise<Whereabouts> {
  const inDoubt = await jobs().find({ batchId, state: 'sending' }).toArray();
  if (inDoubt.length === 0) return 'not_taken';
  const found = await printer.findJobs(new Set(inDoubt.map(jobNameOf)));
  for (const job of inDoubt) {
    const [first] = found.get(jobNameOf(job)) ?? [];
    const isSent = { $set: { state: 'sent', jobId: first?.jobId ?? null } } as const;
    if (first) await jobs().updateOne({ _id: job._id, state: 'sending' }, isSent, durable);
  }
  // What is left of the batch is handed over next: the queue takes its items one by one.
  return inDoubt.every((job) => found.has(jobNameOf(job))) ? 'not_taken' : 'unknown';
}

/** Asks for the results of the jobs. Failed ones wait for the operator: their letters are not lost. */
async function readResults(printer: CupsPrinter, batchId: string, signal: AbortSignal): Promise<ReportedResults> {
  const sent = await jobs().find({ batchId, state: 'sent' }).sort({ jobId: 1 }).limit(maxAsked).toArray();
  const printed: string[] = [];
  for (const { _id, jobId } of sent) {
    signal.throwIfAborted();
    const { state } = jobId === null ? { state: 'gone' as const } : await printer.readJob(jobId);
    if (state === 'printed') printed.push(_id);
    if (state === 'failed' || state === 'gone') await jobs().updateOne({ _id }, { $set: { state: 'failed' } });
  }
  const [waitingCount, failedCount] = await Promise.all([
    jobs().countDocuments({ batchId, state: 'sent', _id: { $nin: printed } }),
    jobs().countDocuments({ batchId, state: 'failed' }),
  ]);
  // At the end all are reported once more: an operator may have resolved a doubt and not come to record it.
  const reported = waitingCount === 0 ? [...printed, ...(await findPrinted(batchId))] : printed;
  return {
    results: reported.map((itemId) => ({ itemId, result: 'printed' })),
    async settle() {
      await jobs().updateMany({ _id: { $in: printed } }, { $set: { state: 'printed' } });
    },
    ...(failedCount > 0 && waitingCount === 0 && { problem: problemOf(failedCount) }),
  };
}

async function findPrinted(batchId: string): Promise<string[]> {
  const rows = await jobs()
    .find({ batchId, state: 'printed' }, { projection: { _id: 1 } })
    .toArray();
  return rows.map(({ _id }) => _id);
}

function problemOf(count: number): string {
  const items = count === 1 ? 'One item was' : `${count} items were`;
  return `${items} not printed, as far as the printer knows. Look at its paper, then say here whether to print them again.`;
}

/** Turns errors of a printer that has taken nothing into those that the operator reads. */
async function withAdvice<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const hasNothing = error instanceof PrinterBusyError || error instanceof PrinterRefusedError;
    throw hasNothing ? new PressUnavailableError(`The printer: ${error.message}`, { cause: error }) : error;
  }
}
