import { relative } from 'node:path';
import { styleText } from 'node:util';

/** Output for the user at the terminal. Uses colours where the terminal supports them and NO_COLOR is not set. */
export const terminal = {
  /** A completed step: `✓ MongoDB 6.0.5      in 0.5 s`. */
  done(what: string, detail = ''): void {
    print(`${paint('green', '✓')} ${what.padEnd(24)}${paint('dim', detail)}`);
  },
  /** Progress. */
  note(line: string): void {
    print(paint('dim', line));
  },
  /** A problem that the operator should look at. */
  warn(line: string): void {
    print(paint('yellow', line));
  },
  /** A failure. */
  fail(line: string): void {
    print(paint('red', line));
  },
  print,
};

/** Returns the path relative to the working directory if it is inside, otherwise unchanged. */
export function shorten(path: string): string {
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') ? path : short;
}

/** Returns the time since `startMs` of `performance.now()`, such as `0.4 s`. */
export function describeTimeSince(startMs: number): string {
  return `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function paint(style: 'green' | 'dim' | 'yellow' | 'red', text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
