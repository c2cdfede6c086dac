import { writeFileSync } from 'node:fs';
import { type DocumentFault, isDocumentFault } from './document-error.ts';

/** The one file a child reports in, inside its own folder; the parent reads no other words of it. */
export const reportName = 'report.json';
/** The exit code of a child whose own machine failed it (disk full, a library missing), not its document. */
export const ownFailureExitCode = 70;

/** Thrown in a child: the document cannot be printed, for this reason. */
export class FaultInDocument extends Error {
  override readonly name = 'FaultInDocument';
  readonly fault: DocumentFault;

  constructor(fault: DocumentFault, detail = '') {
    super(`${fault} ${detail}`);
    this.fault = fault;
  }
}

/**
 * Runs the work of a child process to its end: `args` are the paths it was started with, its working folder is its own.
 * What `work` returns, or the fault it throws, goes into the report. `otherwise` is the fault for an error nobody
 * foresaw: a library choking on hostile bytes is the document's failure.
 */
export async function childMain(otherwise: DocumentFault, work: (args: string[]) => Promise<object>): Promise<void> {
  // Libraries throw from callbacks as well; such an error must be judged like one from `work`.
  process.on('uncaughtException', (error) => leave(otherwise, error));
  try {
    const result = await work(process.argv.slice(2));
    report({ result, ...usage() });
    process.exit(0);
  } catch (error) {
    leave(otherwise, error);
  }
}

function leave(otherwise: DocumentFault, error: unknown): never {
  // Standard error goes to the operator's log, cut to its last lines.
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  if (isOwnFailure(error)) process.exit(ownFailureExitCode);

  const known = error instanceof FaultInDocument && isDocumentFault(error.fault);
  report({ fault: known ? error.fault : otherwise, ...usage() });
  process.exit(0);
}

const limitCodes = ['EFBIG', 'ENOMEM', 'EMFILE'];
const loadingCodes = ['ERR_MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED', 'ERR_ACCESS_DENIED'];

/** The system said no to something a document has no influence on. Running into a limit is the document's doing. */
function isOwnFailure(error: unknown): boolean {
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
