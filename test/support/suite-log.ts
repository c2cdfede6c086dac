import { appendFileSync } from 'node:fs';
import { createLog, type Log } from '../../common/platform/log.ts';

/** Where a test run gathers what the product logs, to be searched for secrets at its end. */
const suiteLog = process.env.SUITE_LOG;

/** How much product processes log when nobody asks for anything else: all of it, when it is gathered. */
export const suiteLogLevel = process.env.LOG_LEVEL ?? (suiteLog === undefined ? 'fatal' : 'debug');

/** The log of a world: gathered, unless LOG_LEVEL asks to see it, or its test listens to it. */
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

/** Adds what a process of the product has printed. */
export function gatherOutput(output: string): void {
  if (suiteLog !== undefined) appendFileSync(suiteLog, output.endsWith('\n') ? output : `${output}\n`);
}
