import { type DestinationStream, pino } from 'pino';

/** What waits at most, in characters and milliseconds. */
const maxWaitingChars = 512 * 1024;
const maxWaitMs = 10;

/** What pino's lines of the levels that can wait begin with. */
const patientStarts = ['{"level":"info"', '{"level":"debug"', '{"level":"trace"'];

/**
 * Standard output, in pieces of several lines: of a request's line, most of the cost is the write. A line waits for
 * others for at most 10 ms. Warnings and errors do not wait, and take along what does, so that all lines keep their
 * order; the last ones are written as the process exits. What kills a process outright takes 10 ms of them with it.
 */
export function createBatchedOutput(output: DestinationStream = pino.destination(1)): DestinationStream {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    // Before the write, which may throw: no line is written twice.
    waiting = '';
    if (lines !== '') output.write(lines);
  };
  process.on('exit', flush);

  return {
    write(line) {
      waiting += line;
      const canWait = patientStarts.some((start) => line.startsWith(start));
      if (!canWait || waiting.length > maxWaitingChars) return flush();
      timer ??= setTimeout(flush, maxWaitMs);
    },
  };
}
