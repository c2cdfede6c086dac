import { readText } from './markdown.ts';

/** Returns what is stale in a generated file, in one line. Null when it has this text. */
export function findStale(path: string, generated: string): string | null {
  const [stored, expected] = [readText(path), generated].map((text) => text.split('\n'));
  const line = expected?.findIndex((text, index) => text !== stored?.[index]) ?? -1;
  if (line === -1 && stored?.length === expected?.length) return null;
  return `npm run generate writes ${path}, which is stale from line ${line + 1} on: ${expected?.[line]?.trim() ?? ''}`;
}
