import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** Where a command writes: its result to standard output, everything else to standard error. */
export type Output = {
  /** True with `--json`: standard output then has JSON only. */
  readonly isJson: boolean;
  /** Writes one JSON value with `--json`, otherwise these lines. */
  result(value: unknown, lines: () => readonly string[]): void;
  /** Writes one entry of a stream on a line of its own. With `--json` as JSON. */
  entry(value: unknown, line: () => string): void;
  /** Writes a note to standard error. */
  note(line: string): void;
  /** Writes a warning to standard error. */
  warn(line: string): void;
  /** Styles text of standard output, if it is a terminal that shows colours and NO_COLOR is not set. */
  paint(style: Style, text: string): string;
};

/** Creates the output of this process. */
export function createOutput(isJson: boolean): Output {
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  return {
    isJson,
    result(value, lines) {
      if (isJson) print(JSON.stringify(value, null, 2));
      else for (const line of lines()) print(line);
    },
    entry: (value, line) => print(isJson ? JSON.stringify(value) : line()),
    // With --json a program reads, also where a terminal shows the notes.
    note: (line) => writeError(isJson ? line : paint('dim', line, process.stderr)),
    warn: (line) => writeError(isJson ? line : paint('yellow', line, process.stderr)),
    paint: (style, text) => paint(style, text, process.stdout),
  };
}

/** Styles text for a stream, which decides whether it shows colours. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream): string {
  // Decided here: styleText of Node 20 does not look at the stream.
  const hasColors = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return hasColors ? styleText(style, text) : text;
}

/** Writes a line to standard error. */
export function writeError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Ends the program quietly when the reader of its output has closed the pipe, as `| head` does. */
export function endWithClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      throw error;
    });
  }
}

/** Aligns rows of cells in columns. Columns named in `right`, by index, are aligned to the right. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, index) =>
        right.includes(index) ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Returns an amount such as `1.92 EUR`. */
export function euros(cents: number): string {
  return `${(cents / 100).toFixed(2)} EUR`;
}

/** Returns a time to the minute in the time zone of the machine, such as `2026-11-23 15:00+01:00`. Without one, `-`. */
export function localTime(iso: string | null): string {
  if (iso === null) return '-';
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}${offsetOf(at)}`;
}

/** Returns the offset of the time zone of the machine at a moment, such as `+01:00`. */
export function offsetOf(at: Date): string {
  return at.toTimeString().replace(/^.*GMT([+-]\d\d)(\d\d).*$/, '$1:$2');
}

/** Returns `1 page`, `2 pages`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** Removes control characters, with which text from elsewhere could change the terminal. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it removes
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}
