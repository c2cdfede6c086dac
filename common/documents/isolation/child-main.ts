import { writeFileSync } from 'node:fs';
import { type DocumentFault, isDocumentFault } from './document-error.ts';
import { FaultInDocument } from './fault-in-document.ts';

/** The child's report, in its own folder. The parent reads no other text from the child. */
export const reportName = 'report.json';
/** How a child ends itself. Without a report, it failed because of the machine (disk full, missing library). */
export const endSignal = 'SIGTERM';

/**
 * Runs the work of a child process, reports its result or fault, and exits. `args` are the command-line arguments; the
 * working folder belongs to this child alone. `defaultFault` is reported for any unexpected error: a library that fails
 * on hostile bytes is the document's fault. Work on several files calls `startFile` before each, with its index from 0:
 * a fault then names the file.
 */
export async function childMain(
  defaultFault: DocumentFault,
  work: (args: string[], startFile: (index: number) => void) => Promise<object>,
): Promise<void> {
  let fileIndex: number | undefined;
  // Libraries also throw from callbacks. Such an error is treated like one from `work`.
  process.on('uncaughtException', (error) => endWithError(defaultFault, error, fileIndex));
  try {
    const result = await work(process.argv.slice(2), (index) => {
      fileIndex = index;
    });
    report({ result, ...usage() });
    endProcess();
  } catch (error) {
    endWithError(defaultFault, error, fileIndex);
  }
}

function endWithError(defaultFault: DocumentFault, error: unknown, fileIndex: number | undefined): void {
  // The parent logs the last 4 kB of standard error.
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  if (!isMachineFailure(error)) {
    const known = error instanceof FaultInDocument && isDocumentFault(error.fault);
    report({ fault: known ? error.fault : defaultFault, fileIndex, ...usage() });
  }
  endProcess();
}

/**
 * Ends this process at once. `process.exit` waits for V8's threads, and one that compiles may wait for a garbage
 * collection of the waiting thread, for ever (nodejs/node#54918): of 100 children that measured a page, 1 to 5 hung.
 */
export function endProcess(): void {
  process.kill(process.pid, endSignal);
}

const limitCodes = ['EFBIG', 'ENOMEM', 'EMFILE'];
const loadingCodes = ['ERR_MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED', 'ERR_ACCESS_DENIED'];

/** Whether a system call failed that no document can influence. Reaching a limit is the document's fault. */
function isMachineFailure(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const code = String(error.code);
  return ('syscall' in error && !limitCodes.includes(code)) || loadingCodes.includes(code);
}

function usage() {
  const { maxRSS } = process.resourceUsage();
  const { user, system } = process.cpuUsage();
  return { cpuMs: Math.round((user + system) / 1000), maxRssKb: maxRSS };
}

function report(words: object): void {
  writeFileSync(reportName, JSON.stringify(words));
}
