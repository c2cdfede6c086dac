import type { Block, Span } from '#common/documents/typesetting/letter-content.ts';
import { variableKey } from './variable-names.ts';

/** A piece of a template's line: text, a variable, or text that shows only if a variable is true. */
export type Run =
  | ({ kind: 'text' } & Span)
  | { kind: 'variable'; name: string; isBold: boolean }
  | { kind: 'optional'; name: string; spans: Span[] };

export type TemplateBlock = Block<Run>;

/** Returns the lines of a block: one for a paragraph, one per item of a list, one per cell of a table. */
export function linesOf<AnyRun>(block: Block<AnyRun>): AnyRun[][] {
  if (block.kind === 'pageBreak') return [];
  if (block.kind === 'list') return block.items;
  if (block.kind === 'table') return [block.head, ...block.rows].flat();
  return [block.runs];
}

/** Returns the keys of variables that are printed. Others only show or hide text. */
export function printedKeys(blocks: readonly TemplateBlock[]): Set<string> {
  const runs = blocks.flatMap(linesOf<Run>).flat();
  return new Set(runs.flatMap((run) => (run.kind === 'variable' ? [variableKey(run.name)] : [])));
}
