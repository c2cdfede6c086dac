import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The repository. */
export const root = join(import.meta.dirname, '../..');
export const readme = readFileSync(join(root, 'README.md'), 'utf8');

export type Block = { language: string; text: string };

/** The fenced blocks of a part of the README, in order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));
}

/** The part under a heading of the second level. Throws when there is none. */
export function sectionOf(heading: string): string {
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`The README has no section "${heading}"`);
  return section;
}

/** The README without its fenced blocks. */
export const prose = readme.replaceAll(/^```\w*\n.*?^```$/gms, '');

/** What stands between backticks in the prose, in order. */
export const inlineCode = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** The cells of every row of the tables of a section, their heads left out. */
export function rowsOf(section: string): string[][] {
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
