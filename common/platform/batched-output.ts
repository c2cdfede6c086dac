import { type DestinationStream, pino } from 'pino';

/** What waits for the end of a turn at most, in characters: half a MB of lines is a write of its own. */
const maxWaitingChars = 512 * 1024;

/**
 * Standard output, written to once a turn of the event loop and not once a line: of a request's line, most of the cost
 * is the write. Lines keep their order; those of the last turn are written as the process exits. What kills a process
 * outright takes the lines of its last turn along.
 */
export function createTurnOutput(output: DestinationStream = pino.destination(1)): DestinationStream {
  let waiting = '';
  const flush = () => {
    if (waiting === '') return;
    const lines = waiting;
    // Before the write, which may throw: no line is written twice.
    waiting = '';
    output.write(lines);
  };
  process.on('exit', flush);

  return {
    write(line) {
      if (waiting === '') setImmediate(flush);
      waiting += line;
      if (waiting.length > maxWaitingChars) flush();
    },
  };
}
