import { type Block, letterLimits, type Span } from '#common/documents/typesetting/letter-content.ts';
import { withoutZeroWidth } from '#common/fields/text.schema.ts';
import type { Language } from '#common/languages.ts';
import { decimalSign } from './decimal-sign.ts';
import type { Run, TemplateBlock } from './template-blocks.ts';
import { variableKey } from './variable-names.ts';

/** What a caller gives for the variables of a template, by name. */
export type MergeVariables = Readonly<Record<string, string | number | boolean | null>>;

/** The texts of variables, by `variableKey`. */
export type VariableTexts = ReadonlyMap<string, string>;

/**
 * Returns the given variables by key, numbers with the decimal sign of the language. Null counts as not given. Of two
 * names with one key, the last is kept.
 */
export function textsOf(variables: MergeVariables, language: Language = 'en'): VariableTexts {
  const given = Object.entries(variables).flatMap(([name, value]) =>
    value === null ? [] : [[variableKey(name), toText(value, language)] as const],
  );
  return new Map(given);
}

function toText(value: string | number | boolean, language: Language): string {
  const text = typeof value === 'number' ? String(value).replace('.', decimalSign(language)) : String(value);
  return withoutZeroWidth(text).normalize('NFC').replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ').trim();
}

const trueWords = ['true', 'yes', 'y', '1', 'oui', 'o', 'ja', 'j', 'x'];

/** Returns whether a variable shows optional text: `yes`, `true`, `1` and the like in our languages, in any case. */
export function isTrue(text: string): boolean {
  return trueWords.includes(text.toLowerCase());
}

/**
 * Returns the blocks of a letter with these values. A value is one piece of text: nothing in it is parsed. A paragraph or
 * item whose optional text is all hidden is left out. Throws a RangeError when the letter has more than 200,000
 * characters.
 */
export function fillTemplate(blocks: readonly TemplateBlock[], texts: VariableTexts): Block<Span>[] {
  let characters = 0;
  const fill = (runs: readonly Run[]): Span[] =>
    runs.flatMap((run) => {
      const spans = spansOf(run, texts);
      for (const { text } of spans) characters += text.length;
      if (characters > letterLimits.characters) throw new RangeError('The letter has too many characters.');
      return spans;
    });
  return blocks.flatMap((block): Block<Span>[] => {
    if (block.kind === 'pageBreak') return [block];
    if (block.kind === 'list') {
      const items = block.items.map(fill).filter(hasText);
      return items.length > 0 ? [{ ...block, items }] : [];
    }
    if (block.kind === 'table')
      return [{ ...block, head: block.head.map(fill), rows: block.rows.map((row) => row.map(fill)) }];
    const runs = fill(block.runs);
    return hasText(runs) ? [{ ...block, runs }] : [];
  });
}

function spansOf(run: Run, texts: VariableTexts): Span[] {
  if (run.kind === 'text') return [{ text: run.text, isBold: run.isBold }];
  const text = texts.get(variableKey(run.name)) ?? '';
  if (run.kind === 'variable') return [{ text, isBold: run.isBold }];
  return isTrue(text) ? run.spans : [];
}

const hasText = (spans: readonly Span[]) => spans.some(({ text }) => text.trim() !== '');
