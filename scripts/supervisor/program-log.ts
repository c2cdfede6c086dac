import { createWriteStream, renameSync, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const rotateAfterBytes = 50 * 1024 * 1024;
const keptLines = 20;
const warningPattern = /"level":"(warn|error|fatal)"/;
const errorPattern = /"level":"(error|fatal)"/;
/** A terminal that scrolls by tells nobody anything: beyond this many in a minute the rest is in the file only. */
const shownPerMinute = 20;

/** What a program prints: written to its log file, watched for `ready`, its warnings shown. */
export type ProgramLog = {
  /** Settles at the next line `ready`. */
  waitUntilReady(): Promise<void>;
  /** The last lines, oldest first. */
  lastLines(): string[];
};

/**
 * Follows a program's output. `show` gets each error as text for people, and each warning once the program serves: what
 * it warns of at its start lies in how `npm start` has set it up.
 */
export function followProgram(output: Readable, file: string, show: (line: string) => void): ProgramLog {
  const lines: string[] = [];
  let ready = Promise.withResolvers<void>();
  let shown = 0;
  let isServing = false;
  setInterval(() => {
    shown = 0;
  }, 60_000).unref();
  const write = openRotating(file);

  createInterface({ input: output }).on('line', (line) => {
    if (line === 'ready') {
      isServing = true;
      ready.resolve();
      return;
    }
    write(line);
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
    const warning = describeLine(line, isServing ? warningPattern : errorPattern);
    if (warning === undefined) return;
    shown += 1;
    if (shown < shownPerMinute) show(warning);
    if (shown === shownPerMinute) show(`… more of these are in ${file}`);
  });

  return {
    waitUntilReady() {
      ready = Promise.withResolvers<void>();
      isServing = false;
      return ready.promise;
    },
    lastLines: () => [...lines],
  };
}

/** The text of a log line whose level the pattern knows; undefined for every other line. */
function describeLine(line: string, pattern: RegExp): string | undefined {
  // Most lines are not worth a parse.
  if (!pattern.test(line)) return undefined;
  try {
    const { level, msg, err } = JSON.parse(line);
    const reason = typeof err?.message === 'string' && err.message !== msg ? ` (${err.message.split('\n')[0]})` : '';
    return `${level}: ${msg ?? ''}${reason}`;
  } catch {
    return undefined;
  }
}

function openRotating(file: string): (line: string) => void {
  const open = (): WriteStream => createWriteStream(file, { flags: 'a' }).on('error', () => {});
  let stream = open();
  let bytes = 0;
  return (line) => {
    bytes += line.length + 1;
    if (bytes > rotateAfterBytes) {
      stream.end();
      renameSync(file, `${file}.1`);
      stream = open();
      bytes = 0;
    }
    stream.write(`${line}\n`);
  };
}
