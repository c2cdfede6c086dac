import { createWriteStream, renameSync, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const rotateAfterBytes = 50 * 1024 * 1024;
const keptLines = 20;
const warningPattern = /"level":"(warn|error|fatal)"/;
const errorPattern = /"level":"(error|fatal)"/;
/** Keeps the terminal readable: further lines of the same minute go to the file only. */
const shownPerMinute = 20;

/** The output of a program, which is written to its log file and watched for `ready` and for warnings. */
export type ProgramLog = {
  /** Settles at the next line `ready`. */
  waitUntilReady(): Promise<void>;
  /** Returns the last 20 lines, oldest first. */
  lastLines(): string[];
};

/**
 * Follows a program's output. `show` gets each error, and each warning once the program is ready. Warnings during
 * startup concern the settings that `npm start` itself has chosen.
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

/** Returns the text of a log line whose level matches the pattern, otherwise undefined. */
function describeLine(line: string, pattern: RegExp): string | undefined {
  // Avoids parsing most lines.
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
