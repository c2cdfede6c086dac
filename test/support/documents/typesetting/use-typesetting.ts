import { execFileSync } from 'node:child_process';
import { createPapers, type Papers } from '#common/documents/papers/papers.ts';
import type { Block, LetterContent, Span } from '#common/documents/typesetting/letter-content.ts';
import {
  createTypesettingPool,
  type SetLetter,
  type TypesettingPool,
  type TypesettingPoolOptions,
} from '#common/documents/typesetting/typesetting-pool.ts';
import type { Language } from '#common/languages.ts';
import { createLog } from '#common/platform/process/log.ts';
import { fillTemplate, type MergeVariables, textsOf } from '#common/templates/text/fill-template.ts';
import { parseTemplate } from '#common/templates/text/parse-template.ts';
import { openOnce } from '#test/support/jest.ts';

export const { signal } = new AbortController();

/** Opens a pool for the tests of a file. */
export function useTypesetting(options: Partial<TypesettingPoolOptions> = {}): TypesettingPool {
  return openOnce(async () => openTypesetting(options));
}

export function openTypesetting(options: Partial<TypesettingPoolOptions> = {}): TypesettingPool {
  return createTypesettingPool({ sharing: 'everyone', log: createLog('test', 'silent'), ...options });
}

/** Creates papers of batches. Their process starts with the first paper, and ends with the tests. */
export function openPapers(language: Language = 'en'): Papers {
  return createPapers({ language, log: createLog('test', 'silent') });
}

/** Returns the letter that a template's text and variables give, in Dutch and without letterhead unless changed. */
export function aLetterOf(text: string, variables: MergeVariables = {}, changes: Partial<LetterContent> = {}) {
  const blocks: Block<Span>[] = fillTemplate(parseTemplate(text).blocks, textsOf(variables));
  return { language: 'nl', letterhead: null, blocks, ...changes } satisfies LetterContent;
}

/** Returns the text of a letter as an independent reader sees it. `-layout` keeps columns. */
export function textOf({ pdf }: SetLetter, ...options: string[]): string {
  return execFileSync('pdftotext', [...options, '-', '-'], { input: pdf, encoding: 'utf8' });
}
