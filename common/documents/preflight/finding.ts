import type { BoxMm } from '../sheet/a4.ts';

export type Severity = 'error' | 'warning' | 'info';

/** A problem to fix, or a fact to know, before a letter is printed. */
export type Finding = {
  code: string;
  /** `error`: cannot be printed. `warning`: may look wrong on paper. `info`: is printed as it should be. */
  severity: Severity;
  /** From 1 in the letter; null for the whole letter. */
  page: number | null;
  /** In millimetres from the top left corner that a reader of the page sees. */
  boxMm: BoxMm | null;
  /** What is wrong, with numbers, in English. */
  message: string;
  /** What to do next. */
  fix: string;
};
