import { onlyGroupOf, readBoolean, readKeywords, readNumber, readNumbers, readReasons } from './answer-attributes.ts';
import { askPrinter, type PrinterAccess, requireSuccess } from './ask-printer.ts';
import { type AnswerGroup, MalformedAnswerError } from './decode-answer.ts';
import { attribute, groupTags, type Operation, operations } from './encode-request.ts';

/** The state of a printer, and what it lacks for letters. */
export type PrinterState = {
  /** A stopped printer takes jobs, and prints them when it runs again. */
  state: 'idle' | 'printing' | 'stopped';
  /** Whether it takes jobs now. */
  isAccepting: boolean;
  /** Keywords such as `media-empty-warning`, at most 20. */
  reasons: string[];
  /** What production needs and the printer does not have, such as `sides-supported: two-sided-long-edge`. */
  lacks: string[];
  printsColor: boolean;
  printsMonochrome: boolean;
  /** Whether it can be told to print pages in their own size. */
  keepsSize: boolean;
  /** Whether it can be told to print no banner pages, which a queue may do by default. */
  omitsBanners: boolean;
};

/** printer-state (RFC 8011, 5.4.11). */
const states = new Map<number, PrinterState['state']>([
  [3, 'idle'],
  [4, 'printing'],
  [5, 'stopped'],
]);

export const documentFormat = 'application/pdf';
export const sides = { both: 'two-sided-long-edge', one: 'one-sided' } as const;
export const a4 = 'iso_a4_210x297mm';
/** Lists jobs in any state. cupsd lists only these by ascending id. */
export const allJobs = 'all';

const needed: readonly (readonly [attribute: string, value: string])[] = [
  ['document-format-supported', documentFormat],
  ['sides-supported', sides.both],
  ['sides-supported', sides.one],
  ['media-supported', a4],
  ['which-jobs-supported', allJobs],
];
const colorModes = 'print-color-mode-supported';
const scalings = 'print-scaling-supported';
const banners = 'job-sheets-supported';
const operationList = 'operations-supported';

const requested = [
  ...['printer-state', 'printer-state-reasons', 'printer-is-accepting-jobs'],
  ...[operationList, colorModes, scalings, banners],
  ...new Set(needed.map(([name]) => name)),
];

/** Reads the state of a printer and what it supports. Throws `PrinterBusyError` or `PrinterRefusedError`. */
export async function readPrinterState(access: PrinterAccess): Promise<PrinterState> {
  const operation = 'Get-Printer-Attributes';
  const attributes = [attribute('requested-attributes', 'keyword', ...requested)];
  return await askPrinter(access, { operation, attributes }, (answer) => {
    requireSuccess(operation, answer);
    return toState(onlyGroupOf(answer, groupTags.printer));
  });
}

function toState(group: AnswerGroup): PrinterState {
  const state = states.get(readNumber(group, 'printer-state'));
  if (!state) throw new MalformedAnswerError('unknown printer-state');
  const has = (name: string, value: string) => readKeywords(group, name).includes(value);
  const numbers = readNumbers(group, operationList);
  const lackedOperations = (Object.keys(operations) as Operation[])
    .filter((operation) => !numbers.includes(operations[operation]))
    .map((operation) => `${operationList}: ${operation}`);
  const lackedValues = needed.filter(([name, value]) => !has(name, value)).map(([name, value]) => `${name}: ${value}`);
  return {
    state,
    isAccepting: readBoolean(group, 'printer-is-accepting-jobs'),
    reasons: readReasons(group, 'printer-state-reasons'),
    lacks: [...lackedOperations, ...lackedValues],
    printsColor: has(colorModes, 'color'),
    printsMonochrome: has(colorModes, 'monochrome'),
    keepsSize: has(scalings, 'none'),
    omitsBanners: has(banners, 'none'),
  };
}
