import { type ColumnAlign, letterLimits } from '#common/documents/typesetting/letter-content.ts';
import { type ParsedLine, parseLine } from './parse-line.ts';
import type { TemplateBlock } from './template-blocks.ts';
import type { TextFault } from './text-faults.ts';

type Table = Extract<TemplateBlock, { kind: 'table' }>;

const rule = /^\|?\s*:?-{3,}:?\s*(\|\s*:?-{3,}:?\s*)*\|?$/;

/** Returns whether these two lines start a table: cells between bars, and a rule below them. */
export function startsTable(line: string, below: string | undefined): boolean {
  return line.startsWith('|') && below !== undefined && rule.test(below) && below.includes('|');
}

/** Parses the lines of a table. `firstLine` is the number of its first line, from 1. */
export function parseTable(lines: readonly string[], firstLine: number): { block: Table; faults: TextFault[] } {
  const [head = '', ruleLine = '', ...rest] = lines;
  const aligns = splitCells(ruleLine).map(alignOf);
  const faults: TextFault[] = [];
  if (aligns.length > letterLimits.columns) faults.push({ line: firstLine, code: 'tooManyColumns', value: '' });
  if (rest.length > letterLimits.rows) faults.push({ line: firstLine, code: 'tooManyRows', value: '' });
  const parseRow = (source: string, line: number) => {
    const cells = splitCells(source);
    if (cells.length > aligns.length) faults.push({ line, code: 'tooManyCells', value: String(cells.length) });
    const parsed = aligns.map((_, column): ParsedLine => parseLine(cells[column] ?? ''));
    for (const cell of parsed) faults.push(...cell.faults.map((fault) => ({ ...fault, line })));
    return parsed.map(({ runs }) => runs);
  };
  const block: Table = {
    kind: 'table',
    aligns,
    head: parseRow(head, firstLine),
    rows: rest.map((source, index) => parseRow(source, firstLine + 2 + index)),
  };
  return { block, faults };
}

/** Splits at bars that are not escaped and not inside a variable. */
function splitCells(line: string): string[] {
  const cells = [''];
  let isInVariable = false;
  for (let at = 0; at < line.length; at += 1) {
    const pair = line.slice(at, at + 2);
    const isEscape = line[at] === '\\';
    if (pair === '((') isInVariable = true;
    if (pair === '))') isInVariable = false;
    if (line[at] === '|' && !isInVariable) cells.push('');
    else cells[cells.length - 1] += isEscape ? pair : (line[at] ?? '');
    if (isEscape) at += 1;
  }
  if (cells[0]?.trim() === '') cells.shift();
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((cell) => cell.trim());
}

function alignOf(cell: string): ColumnAlign {
  if (!cell.endsWith(':')) return 'left';
  return cell.startsWith(':') ? 'center' : 'right';
}
