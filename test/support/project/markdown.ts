import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository. */
export const root = join(import.meta.dirname, '../../..');

/** Returns the text of a file, by its path from the root. */
export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export type Block = { language: string; text: string };

/** Returns the fenced blocks of a text, in order. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));
}

/** Returns the lines of all shell blocks of a text. */
export function shellLinesOf(markdown: string): string[] {
  return blocksOf(markdown).flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []));
}

/** Returns the section with this second-level heading. Throws when it does not exist. */
export function sectionOf(markdown: string, heading: string): string {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`There is no section "${heading}"`);
  return section;
}

/** Returns a text without its fenced blocks. */
export function proseOf(markdown: string): string {
  return markdown.replaceAll(/^```\w*\n.*?^```$/gms, '');
}

/** Returns the inline code of the prose of a text, in order. */
export function inlineCodeOf(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** Returns the targets of all links and images of a text. */
export function linksOf(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

/** Returns the anchors of all headings of a text, as GitHub makes them. Headings must differ. */
export function anchorsOf(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the cells of all rows of the tables in a text, header and separator rows included. */
export function rowsOf(section: string): string[][] {
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
