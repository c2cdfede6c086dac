import { appendFileSync } from 'node:fs';
import { createLog, type Log } from '#common/platform/process/log.ts';

/** The file that collects the product's logs of a test run, which is searched for secrets at the end. */
const suiteLog = process.env.SUITE_LOG;

/** The default log level of product processes: `debug` when the logs are collected. */
export const suiteLogLevel = process.env.LOG_LEVEL ?? (suiteLog === undefined ? 'fatal' : 'debug');

/** Creates the log of a world. It is collected unless LOG_LEVEL is set; `onLine` also gets each line. */
export function createSuiteLog(onLine?: (line: string) => void): Log {
  if (onLine !== undefined) {
    const write = (line: string) => {
      onLine(line);
      gatherOutput(line);
    };
    return createLog('test', 'info', { write });
  }
  if (suiteLog === undefined || process.env.LOG_LEVEL !== undefined) return createLog('test', suiteLogLevel);
  return createLog('test', suiteLogLevel, { write: (line) => appendFileSync(suiteLog, line) });
}

/** Adds the output of a product process. */
export function gatherOutput(output: string): void {
  if (suiteLog !== undefined) appendFileSync(suiteLog, output.endsWith('\n') ? output : `${output}\n`);
}
