import { type Guide, plainText, type Section } from './read-guides.ts';

const maxQueryLength = 100;
const maxHits = 20;
const excerptLength = 240;

export type Hit = { guide: Guide; section: Section; excerpt: string };

/** Returns the words of a query in lower case. */
export function wordsOf(query: string): string[] {
  return query
    .slice(0, maxQueryLength)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Returns the sections that contain all words, at most 20, those with more of the words in their heading first. */
export function searchGuides(guides: readonly Guide[], words: readonly string[]): Hit[] {
  if (words.length === 0) return [];
  const hits = guides.flatMap((guide) =>
    guide.sections.flatMap((section) => {
      const text = plainText(section.markdown);
      const all = `${guide.title} ${section.heading} ${text}`.toLowerCase();
      if (!words.every((word) => all.includes(word))) return [];
      const heading = `${guide.title} ${section.heading}`.toLowerCase();
      const inHeading = words.filter((word) => heading.includes(word)).length;
      return [{ guide, section, inHeading, excerpt: excerptOf(text, words) }];
    }),
  );
  return hits.sort((one, other) => other.inHeading - one.inHeading).slice(0, maxHits);
}

const maxSections = 5;
const maxSectionLength = 6_000;

/** Returns the best five sections for programs, in Markdown of at most 6,000 characters each. */
export function findSections(guides: readonly Guide[], query: string, baseUrl: string) {
  return searchGuides(guides, wordsOf(query))
    .slice(0, maxSections)
    .map(({ guide, section: { heading, anchor, markdown } }) => ({
      guide: guide.title,
      heading,
      url: `${baseUrl}/docs/guides/${guide.name}#${anchor}`,
      markdown: markdown.slice(0, maxSectionLength),
    }));
}

/** Returns the part of a text around the first of the words. */
function excerptOf(text: string, words: readonly string[]): string {
  const found = words.map((word) => text.toLowerCase().indexOf(word)).filter((index) => index >= 0);
  const start = Math.max(0, text.lastIndexOf(' ', Math.min(...found, text.length) - excerptLength / 4));
  const end = start + excerptLength < text.length ? text.lastIndexOf(' ', start + excerptLength) : text.length;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).trim()}${end < text.length ? ' …' : ''}`;
}
