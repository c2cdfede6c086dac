import { relative } from 'node:path';
import { styleText } from 'node:util';

/** What the person who typed `npm start` sees. Colours only where the terminal takes them and NO_COLOR is not set. */
export const terminal = {
  /** A step that is done: `✓ MongoDB 6.0.5      in 0.5 s`. */
  done(what: string, detail = ''): void {
    print(`${paint('green', '✓')} ${what.padEnd(24)}${paint('dim', detail)}`);
  },
  /** A line that goes on where nothing is wrong. */
  note(line: string): void {
    print(paint('dim', line));
  },
  /** Something that the operator should look at. */
  warn(line: string): void {
    print(paint('yellow', line));
  },
  /** Something that went wrong, loudly. */
  fail(line: string): void {
    print(paint('red', line));
  },
  print,
};

/** A path as short as it can be from here. */
export function shorten(path: string): string {
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') ? path : short;
}

/** `0.4 s`, since a moment of `performance.now()`. */
export function describeTimeSince(startMs: number): string {
  return `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function paint(style: 'green' | 'dim' | 'yellow' | 'red', text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
