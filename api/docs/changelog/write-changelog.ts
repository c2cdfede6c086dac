import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The changes of the API's contract on one day, each a line of Markdown. */
export type ChangedDay = { date: string; changes: string[] };

/** All changes, the newest day first, and the hash of the OpenAPI document that they lead to. */
export type Changelog = { documentSha256: string; days: ChangedDay[] };

const file = join(import.meta.dirname, 'changes.json');

/** Reads the changes, which `npm run generate` records. */
export function readChangelog(): Changelog {
  return JSON.parse(readFileSync(file, 'utf8')) as Changelog;
}

/** Writes the changelog in Markdown. The base URL is that of the API, without a trailing slash. */
export function writeChangelog({ days }: Changelog, baseUrl: string): string {
  return [
    '# Changelog',
    'What changed in the API, day by day: requests, fields, values and events. Texts and fixes are not listed.',
    `Subscribe with a feed reader: <${baseUrl}/docs/changelog.atom>.`,
    ...days.flatMap(({ date, changes }) => [`## ${date}`, changes.map((change) => `- ${change}`).join('\n')]),
    '',
  ].join('\n\n');
}
