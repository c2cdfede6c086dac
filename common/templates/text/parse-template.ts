import { findUnprintable } from '#common/documents/typesetting/font-coverage.ts';
import { findCharacterFault, withoutZeroWidth } from '#common/fields/text.schema.ts';
import { parseLine } from './parse-line.ts';
import { parseTable, startsTable } from './parse-table.ts';
import { linesOf, type Run, type TemplateBlock } from './template-blocks.ts';
import { type TextFault, type TextFaultCode, templateLimits } from './text-faults.ts';
import { variableKey } from './variable-names.ts';

/** A parsed template. `variables`: each name as it is first written, in order. */
export type ParsedTemplate = { blocks: TemplateBlock[]; variables: string[]; faults: TextFault[] };

const pageBreak = /^\*{3,}$/;
// With the flag s: without it, a line separator (U+2028) in a line matches nothing, and a list would have no first item.
const heading = /^(#{1,6})\s+(.*)$/s;
const bullet = /^[-*+]\s+(.*)$/s;
const numbered = /^\d{1,4}[.)]\s+(.*)$/s;
/** Only 1 starts a list: a German date such as `12. Mai` at the start of a line is text. */
const firstNumber = /^1[.)]\s/;

/**
 * Parses a template's text, a small part of Markdown that our own typesetting can show in full: paragraphs (line breaks
 * stay), `#` and `##` headings, `-` bullets, `1.` numbers, tables, `***` page breaks, `**bold**` and variables. There is
 * no HTML, no link and no image, so a text from elsewhere cannot bring any. Time is linear in the length of the text.
 */
export function parseTemplate(text: string): ParsedTemplate {
  const source = withoutZeroWidth(text).normalize('NFC').replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ');
  if (source.length > templateLimits.characters) {
    return { blocks: [], variables: [], faults: [{ line: 1, code: 'tooLong', value: '' }] };
  }
  const reader = createReader(source.split('\n').map((line) => line.trimEnd()));
  while (reader.hasMore()) readBlock(reader);
  const { blocks, faults } = reader;
  const variables = namesIn(blocks);
  faults.push(...findUnprintableLines(source), ...findExcess(blocks, variables));
  return { blocks, variables, faults: faults.sort((a, b) => a.line - b.line) };
}

function createReader(lines: readonly string[]) {
  let at = 0;
  const blocks: TemplateBlock[] = [];
  const faults: TextFault[] = [];
  return {
    blocks,
    faults,
    hasMore: () => at < lines.length,
    /** The line `ahead` of the current one, without indentation. */
    peek: (ahead = 0) => lines[at + ahead]?.trimStart(),
    isIndented: () => /^ {2,}\S/.test(lines[at] ?? ''),
    number: () => at + 1,
    advance: () => {
      at += 1;
    },
    fault: (line: number, code: TextFaultCode) => void faults.push({ line, code, value: '' }),
    runsOf(source: string, line: number): Run[] {
      const parsed = parseLine(source);
      for (const fault of parsed.faults) faults.push({ ...fault, line: line + fault.line });
      return parsed.runs;
    },
  };
}
type Reader = ReturnType<typeof createReader>;

function readBlock(reader: Reader): void {
  const line = reader.peek() ?? '';
  if (line === '') reader.advance();
  else if (pageBreak.test(line)) {
    reader.blocks.push({ kind: 'pageBreak' });
    reader.advance();
  } else if (heading.test(line)) readHeading(reader, line);
  else if (bullet.test(line) || firstNumber.test(line)) readList(reader, line);
  else if (startsTable(line, reader.peek(1))) readTable(reader);
  else readParagraph(reader);
}

function readHeading(reader: Reader, line: string): void {
  const [, signs = '', title = ''] = heading.exec(line) ?? [];
  if (signs.length > 2) reader.fault(reader.number(), 'headingLevel');
  const runs = reader.runsOf(title, reader.number());
  reader.blocks.push({ kind: 'heading', level: signs.length === 1 ? 1 : 2, runs });
  reader.advance();
}

function readList(reader: Reader, first: string): void {
  const isNumbered = numbered.test(first);
  const pattern = isNumbered ? numbered : bullet;
  const items: Run[][] = [];
  for (let line = reader.peek(); line !== undefined && isItem(line, pattern); line = reader.peek()) {
    const number = reader.number();
    const words = [pattern.exec(line)?.[1] ?? ''];
    reader.advance();
    // Indented lines below an item belong to it, unless they are items.
    for (let more = reader.peek(); more && reader.isIndented() && !isItem(more, pattern); more = reader.peek()) {
      words.push(more);
      reader.advance();
    }
    items.push(reader.runsOf(words.join('\n'), number));
  }
  reader.blocks.push({ kind: 'list', isNumbered, items });
}

const isItem = (line: string, pattern: RegExp) => pattern.test(line) && !pageBreak.test(line);

function readTable(reader: Reader): void {
  const firstLine = reader.number();
  const lines: string[] = [];
  for (let line = reader.peek(); line?.startsWith('|'); line = reader.peek()) {
    lines.push(line);
    reader.advance();
  }
  const { block, faults } = parseTable(lines, firstLine);
  reader.blocks.push(block);
  reader.faults.push(...faults);
}

function readParagraph(reader: Reader): void {
  const number = reader.number();
  const lines: string[] = [];
  for (let line = reader.peek(); line && (lines.length === 0 || !startsOther(reader, line)); line = reader.peek()) {
    lines.push(line);
    reader.advance();
  }
  reader.blocks.push({ kind: 'paragraph', runs: reader.runsOf(lines.join('\n'), number) });
}

function startsOther(reader: Reader, line: string): boolean {
  const starts = [pageBreak, heading, bullet, firstNumber].some((pattern) => pattern.test(line));
  return starts || startsTable(line, reader.peek(1));
}

function namesIn(blocks: readonly TemplateBlock[]): string[] {
  const byKey = new Map<string, string>();
  for (const run of blocks.flatMap(linesOf).flat()) {
    if (run.kind === 'text') continue;
    const key = variableKey(run.name);
    if (!byKey.has(key)) byKey.set(key, run.name);
  }
  return [...byKey.values()];
}

function findUnprintableLines(source: string): TextFault[] {
  return source.split('\n').flatMap((text, index): TextFault[] => {
    const fault = findCharacterFault(text);
    if (fault !== null) return [{ line: index + 1, code: fault.code, value: fault.place }];
    const characters = findUnprintable(text);
    if (characters.length === 0) return [];
    return [{ line: index + 1, code: 'unprintable', value: characters.slice(0, 10).join(' ') }];
  });
}

function findExcess(blocks: readonly TemplateBlock[], variables: readonly string[]): TextFault[] {
  const faults: TextFault[] = [];
  const report = (code: TextFaultCode) => void faults.push({ line: 1, code, value: '' });
  const { blocks: mostBlocks, variables: mostVariables, pageBreaks: mostBreaks } = templateLimits;
  // Pages without text would be printed and paid.
  if (blocks.every(({ kind }) => kind === 'pageBreak')) report('empty');
  if (blocks.length > mostBlocks) report('tooManyBlocks');
  if (variables.length > mostVariables) report('tooManyVariables');
  if (blocks.filter(({ kind }) => kind === 'pageBreak').length > mostBreaks) report('tooManyPageBreaks');
  return faults;
}
